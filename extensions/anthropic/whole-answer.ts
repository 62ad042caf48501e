import { wholeMessageSchema } from "./events.ts";

/**
 * Some proxies ignore `stream: true` and answer with one JSON message. This turns such an answer into
 * the events it stands for, so that there is one reader. Streams and failures pass through untouched.
 */
export function streamingFetch(fetchPort: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchPort(input, init);
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !type.includes("application/json")) return response;
    const headers = new Headers(response.headers);
    headers.set("content-type", "text/event-stream");
    headers.delete("content-length");
    headers.delete("content-encoding");
    return new Response(eventsOf(await response.text()), { status: response.status, headers });
  };
}

function eventsOf(text: string): string {
  const message = wholeMessageSchema.safeParse(parse(text));
  if (!message.success) return sse("error", text);
  const { content, stop_reason, stop_details, usage } = message.data;
  const events = [
    { type: "message_start", message: { usage } },
    ...content.map((block, index) => ({
      type: "content_block_start",
      index,
      content_block: block,
    })),
    {
      type: "message_delta",
      delta: { stop_reason: stop_reason ?? "end_turn", stop_details },
      usage,
    },
    { type: "message_stop" },
  ];
  return events.map((event) => sse(event.type, JSON.stringify(event))).join("");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Handed on as an error event with the text as it came.
  }
}

function sse(event: string, data: string): string {
  const lines = data.split(/\r\n|[\r\n]/).map((line) => `data: ${line}\n`);
  return `event: ${event}\n${lines.join("")}\n`;
}
