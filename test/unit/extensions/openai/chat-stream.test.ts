import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerOf, faultOf, run } from "#test/contract/provider-rig.ts";
import { type OpenAiRig, startOpenAi } from "./rig.ts";

/** What compatible servers make of Chat Completions chunks. */
describe("chat stream", () => {
  let rig: OpenAiRig;
  beforeEach(async () => {
    rig = await startOpenAi("chat");
  });
  afterEach(() => rig.stop());

  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const calls = (...tool_calls: object[]) => chunk({ tool_calls });
  const done = "data: [DONE]\n\n";

  async function argumentsOf(...rawSse: string[]): Promise<string[]> {
    rig.play({ rawSse });
    const answer = answerOf(await run(rig));
    expect(answer.stopReason).toBe("tool-calls");
    return answer.calls.map((call) => call.arguments);
  }

  const end = chunk({}, "tool_calls") + done;

  it("knows of no tokens where none were reported", async () => {
    rig.play({ text: "hi", usage: null });
    expect(answerOf(await run(rig)).usage).toBeNull();
  });

  // B40 (a)
  it("keeps calls apart that come without an index", async () => {
    const call = (id: string, raw: string) =>
      calls({ id, function: { name: "add", arguments: raw } });
    expect(await argumentsOf(call("c1", '{"a":1}'), call("c2", '{"a":2}'), end)).toEqual([
      '{"a":1}',
      '{"a":2}',
    ]);
  });

  it("keeps calls apart that come without index and id", async () => {
    const call = (raw: string) => calls({ function: { name: "add", arguments: raw } });
    const more = calls({ function: { arguments: "}" } });
    const pieces = [call('{"a":1'), more, call('{"a":2'), more, end];
    expect(await argumentsOf(...pieces)).toEqual(['{"a":1}', '{"a":2}']);
  });

  it("keeps calls apart that share an index", async () => {
    const call = (id: string, raw: string) =>
      calls({ index: 0, id, function: { name: "add", arguments: raw } });
    const more = calls({ index: 0, function: { arguments: "}" } });
    expect(await argumentsOf(call("x", '{"a":1'), more, call("y", '{"a":2'), more, end)).toEqual([
      '{"a":1}',
      '{"a":2}',
    ]);
  });

  it("keeps pieces together that interleave by index", async () => {
    const begin = (index: number) =>
      calls({ index, id: `c${index}`, function: { name: "add", arguments: "" } });
    const more = (index: number, raw: string) =>
      calls({ index, id: "", function: { arguments: raw } });
    const pieces = [
      begin(0),
      begin(1),
      more(0, '{"a":'),
      more(1, '{"b":'),
      more(0, "1}"),
      more(1, "2}"),
    ];
    expect(await argumentsOf(...pieces, end)).toEqual(['{"a":1}', '{"b":2}']);
  });

  // B40 (b)
  it("keeps the beginning of arguments that comes with the name", async () => {
    const begin = calls({ index: 0, id: "c3", function: { name: "lookup", arguments: "{" } });
    const more = (raw: string) => calls({ index: 0, function: { arguments: raw } });
    expect(await argumentsOf(begin, more('"city":'), more('"Oslo"}'), end)).toEqual([
      '{"city":"Oslo"}',
    ]);
  });

  // B40 (c)
  it("turns arguments that stay empty into an empty object", async () => {
    const call = calls({ index: 0, id: "c4", function: { name: "add", arguments: "" } });
    expect(await argumentsOf(call, end)).toEqual(["{}"]);
    const none = calls({ index: 0, id: "c5", function: { name: "add" } });
    expect(await argumentsOf(none, end)).toEqual(["{}"]);
  });

  // B40 (d)
  it("runs calls of a stream that says [DONE] but no finish reason", async () => {
    const call = calls({ index: 0, id: "c6", function: { name: "add", arguments: '{"a":1}' } });
    expect(await argumentsOf(call, done)).toEqual(['{"a":1}']);
    rig.play({ rawSse: [chunk({ content: "hi" }), "data:[DONE]\n"] });
    expect(answerOf(await run(rig))).toMatchObject({ text: "hi", stopReason: "end" });
  });

  it("delivers invalid arguments as they are", async () => {
    const call = calls({ index: 0, id: "c7", function: { name: "add", arguments: '{"a":1}}' } });
    expect(await argumentsOf(call, end)).toEqual(['{"a":1}}']);
  });

  it("takes arguments that come as an object, and calls without an id", async () => {
    const call = calls({ index: 0, function: { name: "add", arguments: { a: 1 } } });
    rig.play({ rawSse: [call, chunk({}, "stop"), done] });
    const answer = answerOf(await run(rig));
    expect(answer.calls).toMatchObject([
      { id: expect.stringMatching(/^call_/), arguments: '{"a":1}' },
    ]);
    expect(answer.stopReason).toBe("tool-calls");
  });

  it("knows a stream without finish reason and [DONE] for a cut one", async () => {
    rig.play({ rawSse: [chunk({ content: "half an ans" })] });
    const outcome = await run(rig);
    expect(outcome.shown).toBe("half an ans");
    expect(faultOf(outcome).reason).toBe("timeout");
  });

  it("does not wait for a server that keeps the connection open", async () => {
    rig.play({ rawSse: [chunk({ content: "hi" }, "stop"), done], end: "hold" });
    expect(answerOf(await run(rig)).text).toBe("hi");
  });

  // B42
  it("treats a refusal in an answer that was not streamed", async () => {
    const filtered = { choices: [{ finish_reason: "content_filter", message: { content: null } }] };
    rig.play({ json: filtered });
    expect(faultOf(await run(rig)).reason).toBe("refusal");
    const refusal = "I can't help with that.";
    const message = { content: null, refusal };
    rig.play({ json: { choices: [{ finish_reason: "stop", message }] } });
    expect(answerOf(await run(rig))).toMatchObject({ text: refusal, stopReason: "refusal" });
    expect(rig.calls()).toHaveLength(2);
  });

  it("delivers a streamed refusal as text", async () => {
    rig.play({ refusal: "I would rather not." });
    expect(answerOf(await run(rig))).toMatchObject({
      text: "I would rather not.",
      stopReason: "refusal",
    });
  });

  it("shows reasoning under any of its names, and text in parts", async () => {
    rig.play({
      rawSse: [
        chunk({ reasoning_content: "h" }),
        chunk({ reasoning: "m" }),
        chunk({ content: [{ type: "text", text: "yes" }] }),
        chunk({}, "stop"),
        done,
      ],
    });
    const outcome = await run(rig);
    expect(answerOf(outcome).message.content).toEqual([
      { type: "thinking", text: "hm", provider: "openai" },
      { type: "text", text: "yes" },
    ]);
    const thoughts = outcome.events.filter(({ type }) => type === "thinking-delta");
    expect(thoughts).toHaveLength(2);
  });

  it("counts cached tokens apart", async () => {
    const usage = { input: 10, output: 4, cacheRead: 30, cacheWrite: 2 };
    rig.play({ text: "hi", usage });
    expect(answerOf(await run(rig)).usage).toEqual(usage);
  });

  it("reads usage wherever a server puts it", async () => {
    const usage = { prompt_tokens: 8, completion_tokens: 3 };
    const last = { choices: [{ delta: {}, finish_reason: "stop" }], x_groq: { usage } };
    rig.play({ rawSse: [chunk({ content: "hi" }), `data: ${JSON.stringify(last)}\n\n`, done] });
    expect(answerOf(await run(rig)).usage).toMatchObject({ input: 8, output: 3 });
  });

  it("is not disturbed by comments, odd fields and empty choices", async () => {
    rig.play({
      rawSse: [
        ": PROCESSING\n\n",
        'data: {"choices":[]}\n\n',
        'data: {"choices":[{"delta":{"content":7,"tool_calls":{}},"finish_reason":false}]}\n\n',
        'data: {"choices":null}\n\n',
        chunk({ content: "hi" }, "stop"),
        done,
      ],
    });
    expect(answerOf(await run(rig)).text).toBe("hi");
  });
});
