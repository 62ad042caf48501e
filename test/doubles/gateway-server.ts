import { DoubleServer, type RecordedRequest, type Reply } from "./double-server.ts";

/**
 * A Pagurus as its clients see it: /healthz, an export, and chat completions, streamed or whole. `script` decides
 * every answer, also to a repeated Idempotency-Key, since a turn that was run again may end otherwise.
 * For tests of the command line; what the real one does is tested in test/system.
 */
export interface ScriptedAnswer {
  readonly pieces: readonly string[];
  /** Awaited before each piece; counts from 1. */
  readonly gate?: (piece: number) => Promise<void> | void;
  /** The connection breaks instead of the next piece. */
  readonly cutAfter?: number;
  /** Told inside the stream, instead of an end. */
  readonly failure?: string;
}

export interface SeenMessage {
  readonly text: string;
  readonly user: string;
  readonly model: string;
  readonly stream: boolean;
  readonly key: string;
}

export class GatewayServer extends DoubleServer {
  readonly messages: SeenMessage[] = [];
  script: (message: SeenMessage) => ScriptedAnswer = () => ({ pieces: ["ok"] });
  /** The conversation that exists, and its JSONL. */
  transcript: { readonly key: string; readonly body: string | AsyncIterable<string> } | undefined;
  readonly #token: string;

  constructor(token: string) {
    super("gateway");
    this.#token = token;
  }

  protected override handle(request: RecordedRequest): Reply {
    if (request.path === "/healthz") return { body: '{"ok":true}' };
    if (request.headers.authorization !== `Bearer ${this.#token}`) {
      return { status: 401, body: JSON.stringify({ error: { message: "wrong token" } }) };
    }
    if (request.method === "GET") return this.#look(request.path);
    const body = request.json as { messages: { content: string }[]; user: string; model: string };
    const message: SeenMessage = {
      text: body.messages.at(-1)?.content ?? "",
      user: body.user,
      model: body.model,
      stream: (request.json as { stream?: boolean }).stream === true,
      key: String(request.headers["idempotency-key"]),
    };
    this.messages.push(message);
    const answer = this.script(message);
    if (message.stream) {
      return { headers: { "content-type": "text/event-stream" }, body: events(answer) };
    }
    const content = answer.pieces.join("");
    const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
    return { body: JSON.stringify({ id: "1", object: "chat.completion", choices: [choice] }) };
  }

  #look(path: string): Reply {
    const { key, body } = this.transcript ?? {};
    if (path === "/v1/models") return { body: '{"object":"list","data":[]}' };
    if (path.startsWith("/conversation?")) {
      return { body: JSON.stringify({ model: { ok: true, value: "demo/demo" }, key }) };
    }
    if (body === undefined || path !== `/sessions/${encodeURIComponent(key ?? "")}/export`) {
      return { status: 404 };
    }
    return { headers: { "content-type": "application/jsonl" }, body };
  }
}

async function* events(answer: ScriptedAnswer): AsyncGenerator<string> {
  for (const [index, content] of answer.pieces.entries()) {
    await answer.gate?.(index + 1);
    if (index === answer.cutAfter) throw new Error("the connection breaks here");
    yield chunk({ delta: { content }, finish_reason: null });
  }
  if (answer.failure === undefined) yield chunk({ delta: {}, finish_reason: "stop" });
  else yield `data: ${JSON.stringify({ error: { message: answer.failure } })}\n\n`;
  yield "data: [DONE]\n\n";
}

function chunk(choice: object): string {
  const choices = [{ index: 0, ...choice }];
  return `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices })}\n\n`;
}
