import { z } from "zod";
import { defineProvider } from "#contract/extension.ts";
import type { AssistantPart, ModelEvent, ModelInfo, ModelRequest, Usage } from "#contract/model.ts";
import { guardedStream } from "#kit/model/guarded-stream.ts";
import { describeError } from "#kit/redact.ts";
import { estimateMessageTokens, estimateTokens } from "#kit/tokens.ts";
import { decide } from "./reply.ts";
import { viewRequest } from "./request-view.ts";

/**
 * `demo/demo`, the embedded default: a rule-based "model" that needs no account and no network. It shows
 * the whole system at work (streaming, tool calls, memory, silence) and says that it is a demo. Not a
 * language model and not a test double: tests use it only to see what a newcomer sees.
 */
export const demo = defineProvider({
  kind: "provider",
  id: "demo",
  environment: {},
  settings: z.strictObject({}),
  create: () => ({
    id: "demo",
    models: [describe("demo")],
    defaultModel: "demo",
    describe,
    stream: (request, { signal }) =>
      guardedStream({
        signal,
        open: () => answer(request),
        toFault: (error) => ({ reason: "unknown", message: describeError(error) }),
      }),
  }),
});

function describe(id: string): ModelInfo {
  return {
    id,
    contextWindow: 64_000,
    maxOutputTokens: 4096,
    thinkingLevels: ["off"],
    images: false,
    scripted: true,
    // Any other id is answered the same way, but nothing is known about it.
    ...(id === "demo" ? { price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } } : {}),
  };
}

async function* answer(request: ModelRequest): AsyncGenerator<ModelEvent> {
  const view = viewRequest(request);
  const decision = decide(view);
  if (decision.type === "calls") {
    const calls = decision.calls.map(({ name, input }, index): AssistantPart => ({
      type: "tool-call",
      id: `demo_${view.calls + index + 1}`,
      name,
      arguments: JSON.stringify(input),
    }));
    yield finish(request, calls, "tool-calls");
    return;
  }
  for (const text of words(decision.text)) yield { type: "text-delta", text };
  yield finish(request, [{ type: "text", text: decision.text }], "end");
}

/** Word by word, Chinese in small pieces; joined they are the text. */
function words(text: string): string[] {
  return text.match(/[\u2e80-\uffef]{1,4}|[^\s\u2e80-\uffef]+\s*|\s+/g) ?? [];
}

function finish(
  request: ModelRequest,
  content: AssistantPart[],
  stopReason: "end" | "tool-calls",
): ModelEvent {
  const message = { role: "assistant" as const, content };
  const usage: Usage = {
    input: promptTokens(request),
    output: estimateMessageTokens(message),
    cacheRead: 0,
    cacheWrite: 0,
  };
  return { type: "finish", stopReason, message, usage };
}

function promptTokens({ system, messages, tools }: ModelRequest): number {
  const fixed = system.map((segment) => segment.text).join("\n\n") + JSON.stringify(tools);
  return messages.reduce((sum, one) => sum + estimateMessageTokens(one), estimateTokens(fixed));
}
