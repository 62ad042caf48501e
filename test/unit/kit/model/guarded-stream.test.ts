import { describe, expect, it } from "vitest";
import type { ModelEvent } from "#contract/model.ts";
import { noUsage } from "#kit/model/ending.ts";
import { guardedStream } from "#kit/model/guarded-stream.ts";

const delta: ModelEvent = { type: "text-delta", text: "a" };
const finish: ModelEvent = {
  type: "finish",
  stopReason: "end",
  message: { role: "assistant", content: [{ type: "text", text: "a" }] },
  usage: noUsage,
};

async function collect(
  open: () => AsyncIterable<ModelEvent>,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const toFault = (error: unknown) => ({ reason: "unknown", message: String(error) }) as const;
  const events: ModelEvent[] = [];
  for await (const event of guardedStream({ signal, open, toFault })) events.push(event);
  return events;
}

describe("guardedStream", () => {
  it("passes events on and stops at the last one", async () => {
    const events = await collect(async function* () {
      yield delta;
      yield finish;
      yield delta;
    });
    expect(events).toEqual([delta, finish]);
  });

  it("turns a throw into the last event", async () => {
    const events = await collect(async function* () {
      yield delta;
      throw new Error("broken");
    });
    expect(events).toEqual([
      delta,
      { type: "error", fault: { reason: "unknown", message: "Error: broken" } },
    ]);
    const synchronous = await collect(() => {
      throw new Error("at once");
    });
    expect(synchronous).toMatchObject([{ type: "error" }]);
  });

  it("takes a source that just ends for a cut", async () => {
    const events = await collect(async function* () {
      yield delta;
    });
    expect(events.at(-1)).toMatchObject({ type: "error", fault: { reason: "timeout" } });
  });

  it("ends at once when stopped, even if the source never answers", async () => {
    const controller = new AbortController();
    const events = collect(async function* () {
      yield delta;
      await new Promise(() => {});
    }, controller.signal);
    controller.abort();
    expect((await events).at(-1)).toEqual({
      type: "error",
      fault: { reason: "aborted", message: "stopped" },
    });
  });

  it("blames the stop, not the error that the source made of it", async () => {
    const controller = new AbortController();
    const events = await collect(async function* () {
      controller.abort(new DOMException("late", "TimeoutError"));
      yield { type: "error", fault: { reason: "unknown", message: "odd" } };
    }, controller.signal);
    expect(events).toMatchObject([{ type: "error", fault: { reason: "timeout" } }]);
  });

  it("closes the source when the reader leaves", async () => {
    let closed = false;
    const open = async function* (): AsyncGenerator<ModelEvent> {
      try {
        yield delta;
        yield finish;
      } finally {
        closed = true;
      }
    };
    const { signal } = new AbortController();
    const toFault = () => ({ reason: "unknown", message: "" }) as const;
    for await (const event of guardedStream({ signal, open, toFault })) {
      expect(event).toEqual(delta);
      break;
    }
    expect(closed).toBe(true);
  });
});
