import { describe, expect, it } from "vitest";
import type { ModelFaultReason } from "#contract/fault.ts";
import type { FailureStep } from "#test/doubles/model-script.ts";
import { answerOf, faultOf, type ProviderFeature, type ProviderRig, run } from "./provider-rig.ts";

/** The suite's tests of failures: each is one last event with the right reason, and one request. */
export function failureTests(
  has: (feature: ProviderFeature) => boolean,
  rig: () => ProviderRig,
): void {
  if (has("status")) {
    statusTests(rig);
    waitTests(rig);
    secrecyTests(rig);
  }
  if (has("stream-error")) streamErrorTests(rig);
  if (has("cut")) cutTests(rig);
}

const statuses: readonly (readonly [number, ModelFaultReason])[] = [
  [400, "format"],
  [401, "auth"],
  [402, "billing"],
  [403, "auth_permanent"],
  [404, "model_not_found"],
  [408, "timeout"],
  [410, "session_expired"],
  [413, "context_overflow"],
  [422, "format"],
  [429, "rate_limit"],
  [500, "unknown"],
  [503, "overloaded"],
  [529, "overloaded"],
];

// B39
const wordings: readonly (readonly [string, FailureStep, ModelFaultReason])[] = [
  ["a full context", failure(400, "Context size has been exceeded."), "context_overflow"],
  [
    "a long prompt",
    failure(400, "prompt is too long: 210000 tokens > 200000 maximum"),
    "context_overflow",
  ],
  ["a code", { status: 400, error: { code: "context_length_exceeded" } }, "context_overflow"],
  ["a large request", failure(413, "Request too large"), "context_overflow"],
  ["no room", failure(500, "ran out of room in the model's context window"), "context_overflow"],
  ["a rate in tokens", failure(429, "rate limit: 30000 input tokens per minute"), "rate_limit"],
  ["the word context", failure(400, "invalid context id"), "format"],
  ["an empty account", failure(400, "Your credit balance is too low to go on."), "billing"],
  ["a page", { status: 503, body: "<html>upstream unavailable</html>" }, "overloaded"],
];

function failure(status: number, message: string): FailureStep {
  return { status, error: { message } };
}

function statusTests(rig: () => ProviderRig): void {
  it.each(statuses)("reports HTTP %i as %s, after one request", async (status, reason) => {
    rig().play({ status });
    const fault = faultOf(await run(rig()));
    expect(fault).toMatchObject({ reason, status });
    expect(fault.message).not.toBe("");
    expect(rig().calls()).toHaveLength(1);
  });

  it.each(wordings)("reads %s for what it is", async (_name, step, reason) => {
    rig().play(step);
    expect(faultOf(await run(rig()))).toMatchObject({ reason, status: step.status });
  });

  it("works again after a failure", async () => {
    rig().play({ status: 529 }, { text: "pong" });
    faultOf(await run(rig()));
    expect(answerOf(await run(rig())).text).toBe("pong");
  });
}

function waitTests(rig: () => ProviderRig): void {
  it("says how long the provider asks to wait", async () => {
    rig().play(
      { status: 429, retryAfter: 7 },
      { status: 529, headers: { "retry-after-ms": "1500" } },
      { status: 429 },
    );
    expect(faultOf(await run(rig())).retryAfterMs).toBe(7000);
    expect(faultOf(await run(rig())).retryAfterMs).toBe(1500);
    expect(faultOf(await run(rig()))).not.toHaveProperty("retryAfterMs");
  });
}

function secrecyTests(rig: () => ProviderRig): void {
  // B79
  it("shows no secret, whatever the provider echoes", async () => {
    const secrets = [...rig().secrets, "sk-ant-FAKE0123456789abcdefghij"];
    for (const status of [400, 401, 500]) {
      const message = `bad key ${secrets.join(" and ")} for https://user:${secrets[0]}@host/`;
      rig().play({ status, error: { message } });
      const { fault } = await run(rig());
      for (const secret of secrets) expect(JSON.stringify(fault)).not.toContain(secret);
      expect(fault?.message).toContain("bad key");
    }
  });
}

function streamErrorTests(rig: () => ProviderRig): void {
  const overloaded = { type: "overloaded_error", code: "engine_overloaded", message: "Overloaded" };

  describe("inside a stream", () => {
    // B36 (a)
    it("reports an error that comes instead of an answer", async () => {
      rig().play({ error: overloaded }, { text: "pong" });
      expect(faultOf(await run(rig())).reason).toBe("overloaded");
      expect(answerOf(await run(rig())).text).toBe("pong");
    });

    // B36 (b)
    it("reports an error that comes after some text", async () => {
      rig().play({ chunks: ["po"], error: overloaded });
      const outcome = await run(rig());
      expect(outcome.shown).toBe("po");
      expect(faultOf(outcome).reason).toBe("overloaded");
    });

    it("tells an overflow from a rate limit", async () => {
      const long = "prompt is too long: 210000 tokens > 200000 maximum";
      rig().play(
        { error: { type: "invalid_request_error", code: "invalid_prompt", message: long } },
        { error: { type: "rate_limit_error", code: "rate_limit_exceeded", message: "slow down" } },
      );
      expect(faultOf(await run(rig())).reason).toBe("context_overflow");
      expect(faultOf(await run(rig())).reason).toBe("rate_limit");
    });
  });
}

function cutTests(rig: () => ProviderRig): void {
  it("reports a connection that breaks, at any place", async () => {
    for (const cutAfter of [0, 1, 3]) {
      rig().play({ text: "one two three four", chunks: 6, cutAfter });
      const outcome = await run(rig());
      expect(faultOf(outcome)).toMatchObject({ reason: "timeout", connection: true });
      expect("one two three four".startsWith(outcome.shown)).toBe(true);
    }
  });

  it("never delivers a tool call that was cut", async () => {
    rig().play({ toolCalls: [{ name: "add", arguments: { a: 12_345 } }], cutAfter: 2 });
    expect(faultOf(await run(rig())).reason).toBe("timeout");
  });

  it("reports a server that is not there", async () => {
    await rig().stop();
    expect(faultOf(await run(rig()))).toMatchObject({ reason: "timeout", connection: true });
  });
}
