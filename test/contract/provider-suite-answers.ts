import fc from "fast-check";
import { expect, it } from "vitest";
import type { ModelMessage, ToolSchema } from "#contract/model.ts";
import {
  answerOf,
  faultOf,
  type ProviderFeature,
  type ProviderRig,
  run,
  user,
} from "./provider-rig.ts";

/** The suite's tests of answers: text, tool calls, usage, and how an answer ends. */
export function answerTests(
  has: (feature: ProviderFeature) => boolean,
  rig: () => ProviderRig,
): void {
  textTests(has, rig);
  if (has("tools")) callTests(rig);
  endTests(has, rig);
}

function textTests(has: (feature: ProviderFeature) => boolean, rig: () => ProviderRig): void {
  it("delivers text, and its pieces join to it", async () => {
    const text = `pong ${crypto.randomUUID()} and some more words`;
    rig().play({ text, chunks: 5 });
    const outcome = await run(rig());
    expect(answerOf(outcome)).toMatchObject({ text, stopReason: "end" });
    if (has("streaming")) {
      expect(outcome.events.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(1);
    }
    expect(rig().calls()).toHaveLength(1);
    expect(rig().calls()[0]).toMatchObject({ userText: "ping", system: "You are terse." });
  });

  it("keeps every character of any text", async () => {
    const texts = fc.array(fc.string({ unit: "binary", minLength: 1 }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(texts, async (pieces) => {
        const chunks = ["§", ...pieces.map((piece) => piece.toWellFormed())];
        rig().play({ chunks });
        expect(answerOf(await run(rig())).text).toBe(chunks.join(""));
      }),
      { numRuns: 30 },
    );
  });

  it("keeps text that looks like the protocol", async () => {
    const text = 'data: [DONE]\n\nevent: error\ndata: {"error":{}}\r\n\r\n👩‍👩‍👧 \u2028 日本語 עברית';
    rig().play({ text, chunks: 7 });
    expect(answerOf(await run(rig())).text).toBe(text);
  });

  // B38
  it("delivers prose about a context overflow as prose", async () => {
    const text =
      "Context overflow: what it means - the prompt is too long: 210000 tokens > 200000 maximum is the error you saw. 529 overloaded, rate limit.";
    rig().play({ text });
    expect(answerOf(await run(rig()))).toMatchObject({ text, stopReason: "end" });
  });

  if (!has("usage")) return;

  // B80
  it("reports what the provider counted", async () => {
    rig().play({ text: "pong" });
    const { usage } = answerOf(await run(rig()));
    expect(usage?.input).toBeGreaterThan(0);
    expect(usage?.output).toBeGreaterThan(0);
  });
}

const addTool: ToolSchema = {
  name: "add",
  description: "Adds numbers.",
  parameters: { type: "object", properties: { a: { type: "integer" } } },
};

function callTests(rig: () => ProviderRig): void {
  it("delivers a tool call with its arguments as raw JSON text", async () => {
    const city = `city-${crypto.randomUUID()}`;
    rig().play({ text: "Let me see.", toolCalls: [{ name: "add", arguments: { city } }] });
    const answer = answerOf(await run(rig(), { tools: [addTool] }));
    expect(answer).toMatchObject({ text: "Let me see.", stopReason: "tool-calls" });
    expect(answer.calls).toHaveLength(1);
    expect(answer.calls[0]?.name).toBe("add");
    expect(JSON.parse(answer.calls[0]!.arguments)).toEqual({ city });
    expect(rig().calls()[0]?.tools).toEqual(["add"]);
  });

  it("delivers parallel calls in order, each with an id of its own", async () => {
    const toolCalls = [1, 2, 3].map((a) => ({ name: "add", arguments: { a } }));
    rig().play({ toolCalls });
    const { calls, message } = answerOf(await run(rig(), { tools: [addTool] }));
    expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    expect(message.content.every((part) => part.type === "tool-call")).toBe(true);
  });

  // B40 (c)
  it("turns empty arguments into an empty object", async () => {
    rig().play({ toolCalls: [{ name: "add", arguments: "" }] });
    expect(answerOf(await run(rig(), { tools: [addTool] })).calls[0]?.arguments).toBe("{}");
  });

  it("carries large arguments", async () => {
    const content = 'lorem ipsum "quoted" \\ \n'.repeat(20_000);
    rig().play({ toolCalls: [{ name: "add", arguments: { content } }] });
    const { calls } = answerOf(await run(rig(), { tools: [addTool] }));
    expect(JSON.parse(calls[0]!.arguments)).toEqual({ content });
  });

  it("does not repeat the id of an earlier call", async () => {
    rig().play({ toolCalls: [{ name: "add", id: "call_0" }] });
    const first = answerOf(await run(rig(), { tools: [addTool] }));
    const messages: ModelMessage[] = [user("ping"), first.message, resultsFor(first.calls)];
    const second = answerOf(await run(rig(), { messages, tools: [addTool] }));
    expect(second.calls).toHaveLength(1);
    expect(second.calls[0]?.id).not.toBe(first.calls[0]?.id);
    messages.push(second.message, resultsFor(second.calls));
    rig().play({ text: "done" });
    expect(answerOf(await run(rig(), { messages, tools: [addTool] })).text).toBe("done");
    expect(rig().refusals()).toEqual([]);
  });
}

function resultsFor(calls: readonly { id: string; name: string }[]): ModelMessage {
  const results = calls.map(({ id, name }) => ({ callId: id, name, text: "3", isError: false }));
  return { role: "tool", results };
}

function endTests(has: (feature: ProviderFeature) => boolean, rig: () => ProviderRig): void {
  it("says when the answer ran into the token limit", async () => {
    rig().play({ text: "and then", stopReason: "length" });
    expect(answerOf(await run(rig()))).toMatchObject({ text: "and then", stopReason: "length" });
  });

  it("reports an answer without text and calls as empty", async () => {
    for (const text of ["", " \n\t "]) {
      rig().play({ text });
      expect(faultOf(await run(rig())).reason).toBe("empty");
    }
  });

  if (!has("refusal")) return;

  // B42
  it("reports a refusal without words as a refusal, once", async () => {
    rig().play({ stopReason: "refusal" });
    expect(faultOf(await run(rig())).reason).toBe("refusal");
    expect(rig().calls()).toHaveLength(1);
  });

  // B42
  it("delivers what was said before a refusal, without its tool calls", async () => {
    const toolCalls = has("tools") ? [{ name: "add", arguments: { a: 1 } }] : [];
    rig().play({ text: "I would rather not.", toolCalls, stopReason: "refusal" });
    const answer = answerOf(await run(rig(), { tools: has("tools") ? [addTool] : [] }));
    expect(answer).toMatchObject({ text: "I would rather not.", stopReason: "refusal", calls: [] });
  });
}
