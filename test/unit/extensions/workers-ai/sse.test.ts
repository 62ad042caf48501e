import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSse } from "#ext/workers-ai/sse.ts";
import { streamOf } from "./binding-rig.ts";

describe("readSse", () => {
  test("reads the same events however the bytes are cut", async () => {
    const text =
      'data: {"a":"é🔥"}\r\n\r\n: comment\r\nevent: x\r\ndata:1\ndata: 2\n\ndata: [DONE]';
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.slice(at[index], end));
        const events: string[] = [];
        for await (const event of readSse(streamOf(pieces))) events.push(event);
        expect(events).toEqual(['{"a":"é🔥"}', "1\n2", "[DONE]"]);
      }),
    );
  });

  test("tells the server to stop when it is left early", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const event of readSse(body)) {
      expect(event).toBe("x");
      break;
    }
    expect(cancelled).toBe(true);
  });
});
