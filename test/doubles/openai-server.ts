import type { RecordedRequest, Reply } from "./double-server.ts";
import { EmbeddingScript, wordVector } from "./embedding-steps.ts";
import type { AnswerStep, Frame, ModelCall, ScriptedError } from "./model-script.ts";
import { ModelServer, type ModelServerOptions, type Refusal } from "./model-server.ts";
import { embeddingAnswer, readEmbeddingRequest } from "./openai-embeddings.ts";
import { chatFrames, chatWhole } from "./openai-chat-frames.ts";
import { chatRefusal } from "./openai-chat-rules.ts";
import { responsesFrames, responsesWhole } from "./openai-responses-frames.ts";
import { responsesRefusal } from "./openai-responses-rules.ts";
import { openAiCall } from "./openai-seen.ts";

/**
 * An OpenAI-type server on loopback: `POST /v1/chat/completions`, `POST /v1/responses` (streamed or
 * not), `POST /v1/embeddings` (with a script of its own), `GET /v1/models`. How to script it and what it records: model-script.ts; one script serves both
 * APIs. It refuses what the real API refuses (tool messages without their call, unknown fields, …). No
 * key is needed unless `keys` is given, as with local servers.
 *
 *   const server = new OpenAiServer();
 *   await server.start();
 *   // OPENAI_BASE_URL=server.baseUrl (with /v1)
 *   server.play({ text: "pong" });
 */
export class OpenAiServer extends ModelServer {
  readonly embeddings = new EmbeddingScript();

  constructor(options: ModelServerOptions = {}) {
    super("openai", options);
  }

  override get baseUrl(): string {
    return `${this.url}/v1`;
  }

  protected override async handle(request: RecordedRequest): Promise<Reply> {
    const path = new URL(request.path, "http://double").pathname;
    if (request.method === "GET" && path === "/v1/models") return this.#models(request);
    if (request.method === "POST" && path === "/v1/embeddings") return this.#embed(request);
    const call = openAiCall(request, this.calls.length + 1);
    const isKnown = path === "/v1/chat/completions" || path === "/v1/responses";
    if (request.method !== "POST" || !isKnown) {
      const message = `Unknown request URL: ${request.method} ${path}.`;
      return this.failure({ status: 404, error: { message, code: "unknown_url" } }, call);
    }
    return this.answer(request, call);
  }

  async #embed(request: RecordedRequest): Promise<Reply> {
    const refused = (status: number, message: string | undefined): Reply => ({
      status,
      body: JSON.stringify(this.errorBody(status, message === undefined ? {} : { message })),
    });
    const refusal = this.#refuseKey(request);
    if (refusal !== undefined) return refused(401, refusal.message);
    const read = readEmbeddingRequest(request.json);
    if (typeof read === "string") return refused(400, read);
    const { model, input } = read;
    const step = this.embeddings.next(input);
    if ("hang" in step) return new Promise(() => {});
    if ("body" in step) return { body: step.body };
    if ("status" in step) {
      const wait = step.retryAfter === undefined ? {} : { "retry-after": `${step.retryAfter}` };
      return { ...refused(step.status, step.message), headers: wait };
    }
    const dimensions = read.dimensions ?? (model === "text-embedding-3-large" ? 3072 : 1536);
    const rows = step.change(input.map((text) => wordVector(text, dimensions)));
    return { body: embeddingAnswer(model, rows) };
  }

  #models(request: RecordedRequest): Reply {
    const refusal = this.#refuseKey(request);
    if (refusal !== undefined) {
      return { status: 401, body: JSON.stringify(this.errorBody(401, refusal)) };
    }
    const ids = this.options.models ?? ["test-model"];
    const data = ids.map((id) => ({
      id,
      object: "model",
      created: 1_700_000_000,
      owned_by: "test",
    }));
    return { body: JSON.stringify({ object: "list", data }) };
  }

  protected override refuse(request: RecordedRequest, call: ModelCall): Refusal | undefined {
    const refusal = this.#refuseKey(request);
    if (refusal !== undefined) return refusal;
    const message = isChat(call) ? chatRefusal(call) : responsesRefusal(call);
    if (message !== undefined) return { status: 400, message };
    if (this.options.models?.includes(call.model) ?? true) return undefined;
    const missing = `The model \`${call.model}\` does not exist or you do not have access to it.`;
    return { status: 404, message: missing, code: "model_not_found" };
  }

  #refuseKey(request: RecordedRequest): Refusal | undefined {
    const { keys } = this.options;
    const key = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (keys === undefined || keys.includes(key)) return undefined;
    return { status: 401, message: "Incorrect API key provided.", code: "invalid_api_key" };
  }

  protected override frames(step: AnswerStep, call: ModelCall): Frame[] {
    return isChat(call) ? chatFrames(step, call) : responsesFrames(step, call);
  }

  protected override whole(step: AnswerStep, call: ModelCall): unknown {
    return isChat(call) ? chatWhole(step, call) : responsesWhole(step, call);
  }

  protected override errorBody(status: number, error: ScriptedError): unknown {
    const [type, code, message] = defaults[status] ?? [
      "server_error",
      null,
      "The server had an error.",
    ];
    return {
      error: {
        message: error.message ?? message,
        type: error.type ?? type,
        param: null,
        code: error.code ?? (error.message === undefined ? code : null),
      },
    };
  }
}

function isChat(call: ModelCall): boolean {
  return call.path === "/v1/chat/completions";
}

const defaults: Readonly<Record<number, readonly [string, string | null, string]>> = {
  400: ["invalid_request_error", null, "Invalid request."],
  401: ["invalid_request_error", "invalid_api_key", "Incorrect API key provided."],
  402: ["insufficient_quota", null, "Payment required."],
  403: ["invalid_request_error", null, "Your project does not have access to this resource."],
  404: ["invalid_request_error", "model_not_found", "The model does not exist."],
  429: ["requests", "rate_limit_exceeded", "Rate limit reached for requests."],
  503: ["service_unavailable_error", null, "The engine is currently overloaded."],
};
