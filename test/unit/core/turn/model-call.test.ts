import { describe, expect, it } from "vitest";
import type { ModelEvent, ModelRequest } from "#contract/model.ts";
import type { Provider } from "#contract/provider.ts";
import { callModel } from "#core/turn/model-call.ts";

const request: ModelRequest = {
  model: "m",
  system: [],
  messages: [],
  tools: [],
  maxOutputTokens: 100,
  thinking: "off",
  cacheKey: "k",
};

function providerOf(stream: Provider["stream"]): Provider {
  const info = { id: "m", contextWindow: 1, maxOutputTokens: 1, thinkingLevels: [], images: false };
  return { id: "p", models: [], defaultModel: "m", describe: () => info, stream };
}

interface World {
  readonly after: (ms: number, work: () => void) => () => void;
  readonly now?: () => number;
}

function call(stream: Provider["stream"], { after, now = Date.now }: World) {
  const seen: ModelEvent[] = [];
  const outcome = callModel({
    provider: providerOf(stream),
    request,
    signal: new AbortController().signal,
    idleMs: 50,
    timers: { after, sleep: async () => {} },
    now,
    readMedia: async () => null,
    onEvent: (event) => seen.push(event),
  });
  return { outcome, seen };
}

describe("callModel", () => {
  it("passes deltas on and gives the whole answer", async () => {
    const message = {
      role: "assistant" as const,
      content: [{ type: "text" as const, text: "hi" }],
    };
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    const { outcome, seen } = call(
      async function* () {
        yield { type: "text-delta", text: "hi" };
        yield { type: "finish", stopReason: "end", message, usage };
      },
      { after: () => () => {} },
    );
    expect(await outcome).toEqual({ type: "answer", stopReason: "end", message, usage });
    expect(seen).toEqual([{ type: "text-delta", text: "hi" }]);
  });

  it("cuts a stream that says nothing, and keeps what it had said", async () => {
    const { outcome } = call(
      async function* (_request, { signal }) {
        yield { type: "text-delta", text: "half" };
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        const timeout =
          signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
        yield { type: "error", fault: { reason: timeout ? "timeout" : "aborted", message: "" } };
      },
      {
        after: (ms, work) => {
          const timer = setTimeout(work, ms);
          return () => clearTimeout(timer);
        },
      },
    );
    expect(await outcome).toMatchObject({
      type: "fault",
      fault: { reason: "timeout" },
      partialText: "half",
    });
  });

  it("counts silence from the last word, not from the first", async () => {
    let time = 0;
    const waits: number[] = [];
    let look = () => {};
    const { outcome } = call(
      async function* (_request, { signal }) {
        time = 40;
        yield { type: "text-delta", text: "slow" };
        time = 50;
        look();
        expect([signal.aborted, waits]).toEqual([false, [50, 40]]);
        time = 90;
        look();
        expect(signal.aborted).toBe(true);
        yield { type: "error", fault: { reason: "timeout", message: "" } };
      },
      {
        now: () => time,
        after: (ms, work) => {
          waits.push(ms);
          look = work;
          return () => {};
        },
      },
    );
    expect(await outcome).toMatchObject({ fault: { reason: "timeout" }, partialText: "slow" });
  });

  it("does not wait for more when a stream ends without a result", async () => {
    const { outcome } = call(
      async function* () {
        yield { type: "text-delta", text: "half" };
      },
      { after: () => () => {} },
    );
    expect(await outcome).toMatchObject({ type: "fault", fault: { reason: "unknown" } });
  });
});
