import { z } from "zod";
import type { Runtime } from "./runtime.ts";
import { newCode } from "./words.ts";

/** The OpenAI-compatible API and the operator's routes, as a program with the gateway token uses them. */
export interface ApiReply {
  readonly status: number;
  /** Of a completion: its text. Of an error: its message. */
  readonly text: string;
  readonly body: string;
}

export interface ChatOptions {
  /** Continues the conversation of this name. */
  readonly user?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the request, or other values for those it has. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});
const errorSchema = z.object({ error: z.object({ message: z.string() }) });
const chunkSchema = z.looseObject({
  choices: z
    .array(z.looseObject({ delta: z.object({ content: z.string().optional() }) }))
    .default([]),
});
export type Chunk = z.infer<typeof chunkSchema>;

const sessionsSchema = z.object({ sessions: z.array(z.object({ sessionKey: z.string() })) });
const lineSchema = z.looseObject({ role: z.string().optional() });
export type ExportLine = z.infer<typeof lineSchema>;

export class ApiSide {
  readonly vars = { GATEWAY_TOKEN: `gate-${newCode(32)}` };
  readonly #runtime: () => Runtime;

  constructor(runtime: () => Runtime) {
    this.#runtime = runtime;
  }

  get authorization(): { authorization: string } {
    return { authorization: `Bearer ${this.vars.GATEWAY_TOKEN}` };
  }

  /** Any request with the token. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("authorization", this.authorization.authorization);
    return this.#runtime().fetch(path, { ...init, headers });
  }

  post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.fetch("/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  /** One message, answered whole. `content` is text or content parts. */
  async chat(content: unknown, options: ChatOptions = {}): Promise<ApiReply> {
    const response = await this.post(this.#request(content, options), options.headers);
    const body = await response.text();
    return { status: response.status, text: textOf(body), body };
  }

  /** One message, answered as a stream: its chunks in order, `[DONE]` not among them. */
  async stream(content: unknown, options: ChatOptions = {}): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    for await (const chunk of this.live(content, options)) chunks.push(chunk);
    return chunks;
  }

  /** The same, chunk by chunk as they come. */
  async *live(content: unknown, options: ChatOptions = {}): AsyncGenerator<Chunk> {
    const request = { ...this.#request(content, options), stream: true };
    const response = await this.post(request, options.headers);
    let rest = "";
    let done = false;
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "data: [DONE]") done = true;
        else yield chunkSchema.parse(JSON.parse(line.slice("data: ".length)));
      }
    }
    if (!done) throw new Error(`the stream did not end with [DONE]: ${rest}`);
  }

  async sessions(agent?: string): Promise<string[]> {
    const query = agent === undefined ? "" : `?agent=${agent}`;
    const response = await this.fetch(`/sessions${query}`);
    const { sessions } = sessionsSchema.parse(await response.json());
    return sessions.map(({ sessionKey }) => sessionKey);
  }

  /** A conversation as the operator exports it: the header line, then entries. */
  async exported(sessionKey: string): Promise<ExportLine[]> {
    const response = await this.fetch(`/sessions/${encodeURIComponent(sessionKey)}/export`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`no export: ${response.status} ${text}`);
    return readLines(text);
  }

  /** Texts of the exported entries of a role. */
  async history(sessionKey: string, role?: string): Promise<string[]> {
    const [, ...entries] = await this.exported(sessionKey);
    const chosen = entries.filter((entry) => role === undefined || entry.role === role);
    return chosen.map((entry) => JSON.stringify(entry));
  }

  #request(content: unknown, { user, extra }: ChatOptions): Record<string, unknown> {
    const messages = [{ role: "user", content }];
    return { model: "pagurus", messages, ...(user !== undefined && { user }), ...extra };
  }
}

export function readLines(jsonl: string): ExportLine[] {
  const lines = jsonl.split("\n").filter((line) => line !== "");
  return lines.map((line) => lineSchema.parse(JSON.parse(line)));
}

export function streamedText(chunks: readonly Chunk[]): string {
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
}

function textOf(body: string): string {
  const json: unknown = body.startsWith("{") ? JSON.parse(body) : {};
  const completion = completionSchema.safeParse(json);
  if (completion.success) return completion.data.choices[0]!.message.content;
  const error = errorSchema.safeParse(json);
  return error.success ? error.data.error.message : "";
}
