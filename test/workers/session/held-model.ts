import { vi } from "vitest";
import { anthropicFrames, anthropicMessage } from "#test/doubles/anthropic-frames.ts";
import { anthropicCall } from "#test/doubles/anthropic-seen.ts";
import type { AnswerStep, ModelCall } from "#test/doubles/model-script.ts";

/**
 * Anthropic's API in place of the network, for tests inside workerd: no server can be reached from here.
 * An answer can be held back for as long as a test wants. It waits by looking, because a promise of the
 * test's own request may not wake up another object.
 */
export class HeldModel {
  readonly calls: ModelCall[] = [];
  /** While true, no answer begins. */
  held = false;
  #script: (call: ModelCall) => AnswerStep;

  constructor(script: (call: ModelCall) => AnswerStep) {
    this.#script = script;
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => this.#answer(input, init));
  }

  /** Resolves when the model was asked so often. */
  async asked(times: number): Promise<void> {
    await vi.waitFor(() => {
      if (this.calls.length < times) throw new Error(`asked ${this.calls.length} times`);
    }, 10_000);
  }

  async #answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const text = await request.text();
    const call = anthropicCall(
      {
        method: request.method,
        path: new URL(request.url).pathname,
        headers: Object.fromEntries(request.headers),
        text,
        json: JSON.parse(text),
        bytes: new Uint8Array(),
        at: Date.now(),
      },
      this.calls.length + 1,
    );
    this.calls.push(call);
    const step = this.#script(call);
    while (this.held) await scheduler.wait(5);
    const frames = anthropicFrames(anthropicMessage(step, call, "sig"), step);
    const body = frames.map(({ data }) => data).join("");
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
}
