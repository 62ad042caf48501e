import { z } from "zod";

/**
 * Between the network and OpenAI's client: makes the answers of compatible servers look as the client
 * expects them. Errors in any JSON shape get the one shape it reads; an answer that is not streamed
 * becomes a stream of one event; the end mark "[DONE]" is noticed and ends the stream, because some
 * servers keep the connection open behind it.
 */
export interface Answer {
  readonly fetch: typeof fetch;
  saidDone(): boolean;
}

/** For one call. `wrap` makes the event that stands for a whole JSON answer. */
export function watchAnswer(fetchPort: typeof fetch, wrap: (json: unknown) => unknown): Answer {
  let done = false;
  return {
    saidDone: () => done,
    fetch: async (input, init) => {
      const response = await fetchPort(input, init);
      if (!response.ok) return withBody(response, errorBody(await response.text()), "json");
      const type = response.headers.get("content-type") ?? "";
      if (type.includes("application/json")) {
        done = true;
        return withBody(response, wholeAnswer(await response.text(), wrap), "sse");
      }
      const onDone = () => {
        done = true;
      };
      if (response.body) shadowBody(response, untilEndMark(response.body, onDone));
      return response;
    },
  };
}

function withBody(response: Response, body: string, kind: "json" | "sse"): Response {
  const headers = new Headers(response.headers);
  headers.set("content-type", kind === "json" ? "application/json" : "text/event-stream");
  headers.delete("content-length");
  headers.delete("content-encoding");
  return new Response(body, { status: response.status, headers });
}

const errorShapes = z.looseObject({
  error: z.unknown(),
  message: z.unknown(),
  detail: z.unknown(),
});
const errorSchema = errorShapes.partial();

/** `{error: {…}}` whatever came: `{error: "…"}`, `{message}`, `{detail}`, `[{error}]`, plain text. */
function errorBody(text: string): string {
  const json = parse(text);
  const body = errorSchema.safeParse(Array.isArray(json) ? json[0] : json);
  if (!body.success) return JSON.stringify({ error: { message: text.slice(0, 2000) } });
  const { error, message, detail } = body.data;
  if (typeof error === "object" && error !== null) return JSON.stringify({ error });
  const said = [error, message, detail].filter((part) => part !== undefined && part !== null);
  const words = said.map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
  return JSON.stringify({ error: { message: words.join(": ") || text.slice(0, 2000) } });
}

function wholeAnswer(text: string, wrap: (json: unknown) => unknown): string {
  const json = parse(text);
  const body = errorSchema.safeParse(json);
  const isError = json === undefined || (body.success && Boolean(body.data.error));
  const event = isError ? errorBody(text) : JSON.stringify(wrap(json));
  return `data: ${event}\n\ndata: [DONE]\n\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON; the callers keep the text.
  }
}

/**
 * The client reads whatever `body` it finds by async iteration. A stream of our own in its place would
 * cost several times as much for every chunk, and so would a TransformStream.
 */
function shadowBody(response: Response, chunks: AsyncIterable<Uint8Array>): void {
  Object.defineProperty(response, "body", { value: chunks });
}

const markLength = 64;

async function* untilEndMark(
  body: ReadableStream<Uint8Array>,
  onDone: () => void,
): AsyncGenerator<Uint8Array, void> {
  let tail: Uint8Array = new Uint8Array();
  for await (const chunk of body) {
    yield chunk;
    tail = lastBytes(tail, chunk);
    if (!isEndMark(tail)) continue;
    onDone();
    return;
  }
}

function lastBytes(tail: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (chunk.length >= markLength) return chunk.subarray(-markLength);
  const joined = new Uint8Array(tail.length + chunk.length);
  joined.set(tail);
  joined.set(chunk, tail.length);
  return joined.subarray(-markLength);
}

const closingBracket = 0x5d;
const space = 0x20;

function isEndMark(tail: Uint8Array): boolean {
  const last = tail.findLast((byte) => byte > space);
  // Nearly every chunk ends with the brace of an event: no need to decode it.
  if (last !== closingBracket) return false;
  return /(^|[\r\n])data: ?\[DONE\]\s*$/.test(new TextDecoder().decode(tail));
}
