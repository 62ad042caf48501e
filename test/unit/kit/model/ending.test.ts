import { describe, expect, it } from "vitest";
import type { AssistantPart } from "#contract/model.ts";
import { endingEvent, noUsage } from "#kit/model/ending.ts";

const call: AssistantPart = { type: "tool-call", id: "c1", name: "add", arguments: "{}" };
const text: AssistantPart = { type: "text", text: "hello" };
const thought: AssistantPart = { type: "thinking", text: "hm", provider: "p" };

describe("endingEvent", () => {
  it("finishes with what there is, in order", () => {
    const event = endingEvent({ parts: [thought, text], stopReason: "end", usage: noUsage });
    expect(event).toMatchObject({
      type: "finish",
      stopReason: "end",
      message: { content: [thought, text] },
    });
  });

  it("counts calls as tool calls whatever the provider said", () => {
    const parts = [{ type: "text", text: "" } as const, call];
    const event = endingEvent({ parts, stopReason: "end", usage: noUsage });
    expect(event).toMatchObject({ stopReason: "tool-calls", message: { content: [call] } });
    expect(endingEvent({ parts, stopReason: "length", usage: noUsage })).toMatchObject({
      stopReason: "length",
    });
  });

  it("reports an answer that only thought as empty, and says so when the limit was spent", () => {
    const parts = [thought, { type: "text", text: " \n" } as const];
    expect(endingEvent({ parts, stopReason: "end", usage: noUsage })).toMatchObject({
      type: "error",
      fault: { reason: "empty" },
    });
    expect(endingEvent({ parts, stopReason: "length", usage: noUsage })).toMatchObject({
      fault: { reason: "empty", message: expect.stringContaining("limit") },
    });
  });

  // B42
  it("drops the calls of a refused answer", () => {
    const usage = noUsage;
    expect(endingEvent({ parts: [text, call], stopReason: "refusal", usage })).toMatchObject({
      stopReason: "refusal",
      message: { content: [text] },
    });
    const explanation = "not this";
    expect(endingEvent({ parts: [call], stopReason: "refusal", usage, explanation })).toEqual({
      type: "error",
      fault: { reason: "refusal", message: "not this" },
    });
  });
});
