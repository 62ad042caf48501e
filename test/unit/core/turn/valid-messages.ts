import { expect } from "vitest";
import type { ModelMessage } from "#contract/model.ts";

/** What every provider asks of a request's messages. */
export function expectValid(messages: readonly ModelMessage[]): void {
  if (messages.length === 0) return;
  expect(messages[0]?.role).toBe("user");
  expect(messages.at(-1)?.role).not.toBe("assistant");
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    expect(next?.role, "roles alternate").not.toBe(message.role);
    if (message.role === "assistant") expectAnswered(message, next);
    else if (message.role === "tool") {
      expect(messages[index - 1]?.role).toBe("assistant");
      for (const result of message.results) expect(result.text.trim()).not.toBe("");
    }
    if (message.role !== "tool") expectNothingBlank(message);
  }
}

function expectAnswered(
  message: Extract<ModelMessage, { role: "assistant" }>,
  next: ModelMessage | undefined,
): void {
  const calls = message.content.filter((part) => part.type === "tool-call");
  const results = next?.role === "tool" ? next.results : [];
  expect(results.map((result) => result.callId)).toEqual(calls.map((call) => call.id));
  expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
  for (const call of calls) expect(JSON.parse(call.arguments)).toBeTypeOf("object");
}

function expectNothingBlank(message: Exclude<ModelMessage, { role: "tool" }>): void {
  expect(message.content.length).toBeGreaterThan(0);
  for (const part of message.content) {
    if (part.type === "text") expect(part.text.trim()).not.toBe("");
  }
  expect(message.content.some((part) => part.type !== "thinking")).toBe(true);
}
