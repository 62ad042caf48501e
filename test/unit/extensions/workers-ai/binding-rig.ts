import type { ModelEvent, ModelRequest } from "#contract/model.ts";
import type { AiBinding } from "#contract/ports.ts";
import { workersAi } from "#ext/workers-ai/index.ts";
import { testPorts } from "#test/contract/channel-rig.ts";

export const model = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
type Options = Parameters<AiBinding["run"]>[2];

interface Run {
  readonly input: Record<string, unknown>;
  readonly options: Options;
}

export function sse(...events: (object | string)[]): ReadableStream<Uint8Array> {
  const text = events.map((event) =>
    typeof event === "string" ? `${event}\n\n` : `data: ${JSON.stringify(event)}\n\n`,
  );
  return streamOf(text.map((one) => new TextEncoder().encode(one)));
}

export function streamOf(pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

export const done = "data: [DONE]";

/** Makes one call against a binding that gives this answer. */
export async function run(answer: () => unknown, part: Partial<ModelRequest> = {}) {
  const runs: Run[] = [];
  const ai: AiBinding = {
    run: async (_model, input, options) => {
      runs.push({ input, options });
      return answer();
    },
  };
  const provider = workersAi.create({}, { ...testPorts(), ai });
  const request: ModelRequest = {
    model,
    system: [{ text: "Be brief.", cacheBoundary: true }],
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    tools: [{ name: "add", description: "Adds.", parameters: { type: "object" } }],
    maxOutputTokens: 1000,
    thinking: "off",
    cacheKey: "agent:main:é:1",
    ...part,
  };
  const events: ModelEvent[] = [];
  const signal = new AbortController().signal;
  for await (const event of provider.stream(request, { signal, readMedia: async () => null })) {
    events.push(event);
  }
  const last = events.at(-1);
  return {
    events,
    runs,
    finish: last?.type === "finish" ? last : undefined,
    fault: last?.type === "error" ? last.fault : undefined,
  };
}

export function callsOf(outcome: Awaited<ReturnType<typeof run>>) {
  const parts = outcome.finish?.message.content ?? [];
  return parts.flatMap((part) => (part.type === "tool-call" ? [[part.name, part.arguments]] : []));
}
