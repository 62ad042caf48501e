import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultOf, run } from "#test/contract/provider-rig.ts";
import { type OpenAiRig, startOpenAi } from "./rig.ts";

/** Errors in the shapes compatible servers give them. */
describe("openai faults", () => {
  let rig: OpenAiRig;
  beforeEach(async () => {
    rig = await startOpenAi("chat");
  });
  afterEach(() => rig.stop());

  const words = "the request exceeds the available context size (4096 tokens)";

  it.each([
    ["an object", JSON.stringify({ error: { code: 400, message: words, type: "x" } })],
    ["a string", JSON.stringify({ error: words })],
    ["a list", JSON.stringify([{ error: { code: 400, message: words } }])],
    ["a message", JSON.stringify({ object: "error", message: words })],
    ["a detail", JSON.stringify({ detail: [{ msg: words }] })],
    ["plain text", words],
  ])("reads %s", async (_shape, body) => {
    rig.play({ status: 400, body });
    expect(faultOf(await run(rig))).toMatchObject({
      reason: "context_overflow",
      status: 400,
      message: expect.stringContaining("4096"),
    });
  });

  it("says which variable holds a refused key", async () => {
    rig.play({ status: 401 });
    expect(faultOf(await run(rig))).toMatchObject({ reason: "auth", variable: "OPENAI_API_KEY" });
  });

  it("says where nobody answered, but not of an answer that broke off", async () => {
    rig.play({ text: "one two three", chunks: 3, cutAfter: 2 });
    expect(faultOf(await run(rig))).not.toHaveProperty("unreached");
    const { origin } = new URL(rig.server.baseUrl);
    await rig.server.stop();
    expect(faultOf(await run(rig))).toMatchObject({ reason: "timeout", unreached: origin });
  });

  it("tells an empty account from a busy server", async () => {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    rig.play({ status: 429, error: { type: "insufficient_quota", message } });
    expect(faultOf(await run(rig)).reason).toBe("billing");
    rig.play({
      status: 429,
      headers: { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m30s" },
    });
    expect(faultOf(await run(rig))).toMatchObject({ reason: "rate_limit", retryAfterMs: 90_000 });
  });

  it("reads an error inside a choice, with a number for a code", async () => {
    const choice = { delta: {}, finish_reason: "error", error: { code: 502, message: "bad" } };
    rig.play({ rawSse: `data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n` });
    expect(faultOf(await run(rig)).reason).toBe("overloaded");
    rig.play({ rawSse: 'data: {"error":{"code":429,"message":"wait"}}\n\n' });
    expect(faultOf(await run(rig)).reason).toBe("rate_limit");
  });

  it("reads an error that comes as JSON with status 200", async () => {
    rig.play({ json: { error: { code: "context_length_exceeded", message: "no" } } });
    expect(faultOf(await run(rig)).reason).toBe("context_overflow");
  });
});
