import { anthropicFrames, anthropicMessage } from "./anthropic-frames.ts";
import { anthropicRefusal } from "./anthropic-rules.ts";
import { anthropicCall } from "./anthropic-seen.ts";
import { promptBefore } from "./anthropic-thinking-rules.ts";
import type { RecordedRequest, Reply } from "./double-server.ts";
import type { AnswerStep, Frame, ModelCall, ScriptedError } from "./model-script.ts";
import { ModelServer, type ModelServerOptions, type Refusal } from "./model-server.ts";

/**
 * Anthropic's Messages API on loopback (`POST /v1/messages`, streamed or not). How to script it and what
 * it records: model-script.ts. It refuses what the real API refuses (blank text, results without their
 * calls, unknown fields, thinking it did not sign, …; anthropic-rules.ts).
 *
 *   const server = new AnthropicServer();
 *   await server.start();
 *   // ANTHROPIC_API_KEY=any, ANTHROPIC_BASE_URL=server.baseUrl
 *   server.play({ text: "pong" });
 */
export class AnthropicServer extends ModelServer {
  /**
   * Signatures given out with thinking, each with the prompt it belongs to. A transcript made elsewhere
   * may add its own, with undefined.
   */
  readonly signatures = new Map<string, string | undefined>();

  constructor(options: ModelServerOptions = {}) {
    super("anthropic", options);
  }

  override get baseUrl(): string {
    return this.url;
  }

  protected override async handle(request: RecordedRequest): Promise<Reply> {
    const call = anthropicCall(request, this.calls.length + 1);
    if (request.method !== "POST" || call.path !== "/v1/messages") {
      return this.failure({ status: 404, error: { message: "Not Found" } }, call);
    }
    return this.answer(request, call);
  }

  protected override refuse(request: RecordedRequest, call: ModelCall): Refusal | undefined {
    const key = request.headers["x-api-key"] ?? request.headers.authorization?.slice(7);
    if (typeof key !== "string" || !(this.options.keys?.includes(key) ?? key !== "")) {
      return { status: 401, message: "invalid x-api-key" };
    }
    if (!/^20\d\d-\d\d-\d\d$/.test(String(request.headers["anthropic-version"]))) {
      return { status: 400, message: "anthropic-version: header is required" };
    }
    const refusal = anthropicRefusal(call, this.signatures);
    if (refusal !== undefined) return { status: 400, message: refusal };
    const exists = this.options.models?.includes(call.model) ?? true;
    return exists ? undefined : { status: 404, message: `model: ${call.model}` };
  }

  protected override frames(step: AnswerStep, call: ModelCall): Frame[] {
    return anthropicFrames(anthropicMessage(step, call, this.#sign(call)), step);
  }

  protected override whole(step: AnswerStep, call: ModelCall): unknown {
    return anthropicMessage(step, call, this.#sign(call));
  }

  #sign(call: ModelCall): string {
    const signature = `sig_${crypto.randomUUID()}`;
    this.signatures.set(signature, promptBefore(call.body, call.messages.length));
    return signature;
  }

  protected override errorBody(status: number, error: ScriptedError): unknown {
    const { code, message } = error;
    const type = error.type ?? errorTypes[status] ?? "api_error";
    const details = code === undefined ? {} : { details: { error_code: code } };
    const said = message ?? messages[status] ?? "Internal server error";
    return { type: "error", error: { type, message: said, ...details }, request_id: "req_F1" };
  }
}

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const messages: Readonly<Record<number, string>> = {
  401: "invalid x-api-key",
  403: "Your API key does not have permission to use the specified resource.",
  429: "This request would exceed your organization's rate limit.",
  529: "Overloaded",
};
