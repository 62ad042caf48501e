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
      const body = response.body && untilEndMark(response.body, onDone);
      return new Response(body, { status: response.status, headers: response.headers });
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

const markLength = 64;

/** Not a TransformStream: that one costs several times as much for every chunk. */
function untilEndMark(
  body: ReadableStream<Uint8Array>,
  onDone: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let tail = "";
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      tail = (tail + decoder.decode(value.subarray(-markLength))).slice(-markLength);
      if (!/(^|[\r\n])data: ?\[DONE\]\s*$/.test(tail)) return;
      onDone();
      controller.close();
      await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
