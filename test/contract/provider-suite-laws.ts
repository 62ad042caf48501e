import { expect, it } from "vitest";
import type { ModelEvent } from "#contract/model.ts";
import {
  checked,
  faultOf,
  type ProviderFeature,
  type ProviderRig,
  requestOf,
  run,
  streamContext,
} from "./provider-rig.ts";

/** The suite's tests of facts about models, and of how a stream ends. */
export function lawTests(has: (feature: ProviderFeature) => boolean, rig: () => ProviderRig): void {
  it("describes any model, known or not", () => {
    const { provider } = rig();
    const ids = [provider.defaultModel, ...provider.models.map(({ id }) => id), "no-such/model-1"];
    for (const id of ids) {
      const info = provider.describe(id);
      expect(info.id).toBe(id);
      expect(info.contextWindow).toBeGreaterThan(info.maxOutputTokens / 2);
      expect(info.maxOutputTokens).toBeGreaterThanOrEqual(1024);
      expect(info.thinkingLevels.length).toBeGreaterThan(0);
    }
    expect(provider.describe("no-such/model-1").price).toBeUndefined();
  });

  it("answers in order: deltas, then one last event", async () => {
    const outcome = await run(rig());
    expect(outcome.finish?.message.role).toBe("assistant");
  });

  it("does not start when it was stopped before", async () => {
    const stopped = AbortSignal.abort();
    const outcome = await run(rig(), {}, streamContext(stopped));
    expect(faultOf(outcome).reason).toBe("aborted");
    expect(rig().calls()).toHaveLength(0);
  });

  it("can be left in the middle without a trace", async () => {
    const { provider, model } = rig();
    for await (const event of provider.stream(requestOf(model), streamContext())) {
      expect(event.type).toBeDefined();
      break;
    }
    await run(rig());
  });

  if (!has("script") || !has("streaming")) return;

  it("ends soon after it is stopped, although the server says nothing more", async () => {
    const never = new Promise<void>(() => {});
    rig().play({ text: "one two three", gate: (delta) => (delta === 2 ? never : undefined) });
    const controller = new AbortController();
    const events = await eventsUntilDelta(rig(), controller.signal, () => controller.abort());
    expect(faultOf(checked(rig(), events)).reason).toBe("aborted");
    expect(events.filter((event) => event.type === "text-delta")).toHaveLength(1);
  });

  it("ends when it is stopped before the first byte", async () => {
    const controller = new AbortController();
    let reached = () => {};
    const arrived = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const gate = () => {
      reached();
      return new Promise<void>(() => {});
    };
    rig().play({ text: "late", gate });
    const outcome = run(rig(), {}, streamContext(controller.signal));
    await arrived;
    controller.abort();
    expect(faultOf(await outcome).reason).toBe("aborted");
  });

  it("calls an idle stream a timeout when a time limit ends it", async () => {
    const never = new Promise<void>(() => {});
    rig().play({ text: "one two three", gate: (delta) => (delta === 2 ? never : undefined) });
    const controller = new AbortController();
    const limit = () => controller.abort(new DOMException("idle", "TimeoutError"));
    const events = await eventsUntilDelta(rig(), controller.signal, limit);
    expect(faultOf(checked(rig(), events)).reason).toBe("timeout");
  });
}

/** Runs a call; `act` is called once, at the first piece of text. */
async function eventsUntilDelta(
  rig: ProviderRig,
  signal: AbortSignal,
  act: () => void,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of rig.provider.stream(requestOf(rig.model), streamContext(signal))) {
    events.push(event);
    if (event.type === "text-delta") act();
  }
  return events;
}
