import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerOf, faultOf, run } from "#test/contract/provider-rig.ts";
import { type AnthropicRig, startAnthropic } from "./rig.ts";

/** What only Anthropic's stream can do: events byte for byte. */
describe("anthropic stream", () => {
  let rig: AnthropicRig;
  beforeEach(async () => {
    rig = await startAnthropic();
  });
  afterEach(() => rig.stop());

  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const start = event("message_start", {
    message: { usage: { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 } },
  });
  const text = (delta: string) =>
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }) +
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text: delta } });
  const end = (reason: string) =>
    event("message_delta", {
      delta: { stop_reason: reason },
      usage: { output_tokens: 9, cache_creation_input_tokens: 2 },
    });

  // B36 (a)
  it("takes an overload that comes as an event for an overload", async () => {
    rig.play({
      rawSse:
        'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    });
    expect(faultOf(await run(rig))).toMatchObject({ reason: "overloaded" });
    expect(rig.calls()).toHaveLength(1);
  });

  it("says where nobody answered, but not of an answer that broke off", async () => {
    rig.play({ text: "one two three", chunks: 3, cutAfter: 2 });
    expect(faultOf(await run(rig))).not.toHaveProperty("unreached");
    const { origin } = new URL(rig.server.baseUrl);
    await rig.server.stop();
    expect(faultOf(await run(rig))).toMatchObject({ reason: "timeout", unreached: origin });
  });

  it("counts tokens as the API does", async () => {
    rig.play({ rawSse: [start, text("hi"), end("end_turn"), event("message_stop", {})] });
    expect(answerOf(await run(rig)).usage).toEqual({
      input: 5,
      output: 9,
      cacheRead: 7,
      cacheWrite: 2,
    });
  });

  it("tells at the start what was read, for a call that is stopped", async () => {
    rig.play({ rawSse: [start, text("half an ans")] });
    const usage = { input: 5, output: 1, cacheRead: 7, cacheWrite: 0 };
    expect((await run(rig)).events[0]).toEqual({ type: "usage", usage });
  });

  it("knows of no tokens where none were reported", async () => {
    const bare = event("message_start", { message: {} });
    const ended = event("message_delta", { delta: { stop_reason: "end_turn" } });
    rig.play({ rawSse: [bare, text("hi"), ended, event("message_stop", {})] });
    expect(answerOf(await run(rig)).usage).toBeNull();
  });

  it("knows a stream that ends without its end for a cut one", async () => {
    rig.play({ rawSse: [start, text("half an ans")] });
    const outcome = await run(rig);
    expect(outcome.shown).toBe("half an ans");
    expect(faultOf(outcome).reason).toBe("timeout");
    rig.play({ rawSse: "" });
    expect(faultOf(await run(rig)).reason).toBe("timeout");
  });

  it("accepts a stream that was cut behind its stop reason", async () => {
    rig.play({ rawSse: [start, text("whole"), end("end_turn")] });
    expect(answerOf(await run(rig)).text).toBe("whole");
  });

  it("ignores events and blocks it does not know", async () => {
    const unknown =
      event("weather", { sunny: true }) +
      event("content_block_start", { index: 4, content_block: { type: "server_tool_use" } }) +
      event("content_block_delta", { index: 4, delta: { type: "odd_delta" } });
    rig.play({ rawSse: [start, unknown, text("hi"), unknown, end("pause_turn")] });
    expect(answerOf(await run(rig))).toMatchObject({ text: "hi", stopReason: "end" });
  });

  it("reads an answer that is split anywhere", async () => {
    const whole = start + text("zwölf 🦀") + end("end_turn") + event("message_stop", {});
    rig.play({ rawSse: Array.from(whole) });
    expect(answerOf(await run(rig)).text).toBe("zwölf 🦀");
  });

  // B42
  it("explains a refusal in the fault when there is nothing to show", async () => {
    rig.play({ thinking: "no", stopReason: "refusal", refusal: "Not this one." });
    expect(faultOf(await run(rig, { thinking: "high" }))).toMatchObject({
      reason: "refusal",
      message: "Not this one.",
    });
  });

  it("reads an answer that a proxy did not stream", async () => {
    const content = [
      { type: "text", text: "hello" },
      { type: "tool_use", id: "t1", name: "add", input: { a: 1 } },
    ];
    const usage = { input_tokens: 4, output_tokens: 6 };
    rig.play({ json: { type: "message", content, stop_reason: "tool_use", usage } });
    const answer = answerOf(await run(rig));
    expect(answer).toMatchObject({ text: "hello", stopReason: "tool-calls" });
    expect(answer.calls[0]?.arguments).toBe('{"a":1}');
    expect(answer.usage).toMatchObject({ input: 4, output: 6 });
    rig.play({ json: { type: "error", error: { type: "overloaded_error", message: "busy" } } });
    expect(faultOf(await run(rig)).reason).toBe("overloaded");
  });

  it("reads the codes that name a cause", async () => {
    const code = "enforced_spend_limit_reached";
    rig.play({ status: 400, error: { type: "invalid_request_error", code, message: "No." } });
    expect(faultOf(await run(rig)).reason).toBe("billing");
  });
});
