import type { ModelEvent, ModelMessage, ModelRequest, ToolCall } from "#contract/model.ts";
import type { Provider } from "#contract/provider.ts";
import { demo } from "#ext/demo/index.ts";
import { memoryTools } from "#ext/memory-tools/index.ts";
import { sessionTools } from "#ext/session-tools/index.ts";
import { workspaceTools } from "#ext/workspace-tools/index.ts";

/** The demo model with the tools it is given, asked as the core asks. */
export const tools = [...workspaceTools.tools, ...memoryTools.tools, ...sessionTools.tools];
export const today = "2026-11-29";

export const provider = demo.create(
  {},
  {
    fetch,
    now: () => Date.UTC(2026, 10, 28, 23, 30),
    newId: () => "id",
    log: { info() {}, warn() {}, error() {} },
    sleep: async () => {},
  },
) as Provider;

export function request(
  messages: ModelMessage[],
  names = tools.map((tool) => tool.name),
): ModelRequest {
  return {
    model: "demo",
    system: [
      { text: "You are an assistant.", cacheBoundary: true },
      { text: `# Now\nTime: Sunday ${today} 08:30 (Asia/Tokyo)`, cacheBoundary: false },
    ],
    messages,
    tools: tools
      .filter((tool) => names.includes(tool.name))
      .map(({ name, description }) => ({ name, description, parameters: { type: "object" } })),
    maxOutputTokens: 1000,
    thinking: "off",
    cacheKey: "k",
  };
}

export function says(...texts: string[]): ModelMessage {
  return { role: "user", content: texts.map((text) => ({ type: "text", text })) };
}

export async function run(model: ModelRequest, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(model, { signal, readMedia: async () => null })) {
    events.push(event);
  }
  return events;
}

export async function finished(messages: ModelMessage[], names?: string[]) {
  const events = await run(request(messages, names));
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error(JSON.stringify(last));
  const calls = last.message.content.filter((part): part is ToolCall => part.type === "tool-call");
  const text = last.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return {
    events,
    last,
    text,
    calls: calls.map(({ name, arguments: args }) => [name, JSON.parse(args)]),
  };
}

/** What memory_search answers for these lines, all of one source. */
export function passages(path: string, ...lines: string[]): string {
  return `1. ${path}:1-${lines.length} (score 0.81, agent)\n${lines.join("\n")}`;
}

const greeted: readonly ModelMessage[] = [
  says("hi"),
  { role: "assistant", content: [{ type: "text", text: "hello" }] },
];

/** Asks, lets the tools answer as often as it calls some, and returns what they were asked and what it says. */
export async function talk(
  text: string,
  answer: (tool: string, input: Readonly<Record<string, string>>) => string,
  names?: string[],
  before: readonly ModelMessage[] = greeted,
): Promise<{ readonly text: string; readonly calls: readonly unknown[] }> {
  const messages = [...before, says(text)];
  const made: unknown[] = [];
  for (let steps = 0; steps < 5; steps += 1) {
    const { last, text: said, calls } = await finished(messages, names);
    if (calls.length === 0) return { text: said, calls: made };
    made.push(...calls);
    const results = last.message.content.flatMap((part) =>
      part.type === "tool-call"
        ? [
            {
              callId: part.id,
              name: part.name,
              text: answer(part.name, JSON.parse(part.arguments)),
              isError: false,
            },
          ]
        : [],
    );
    messages.push(last.message, { role: "tool", results } as never);
  }
  throw new Error("it calls without end");
}

/** Asks, lets the tool answer, and returns what the demo says then. Conversations have nothing on it. */
export async function ask(text: string, output: string, isError = false): Promise<string> {
  const messages = [
    says("hi"),
    { role: "assistant" as const, content: [{ type: "text" as const, text: "hello" }] },
    says(text),
  ];
  for (;;) {
    const { last, text: said, calls } = await finished(messages);
    if (calls.length === 0) return said;
    const results = last.message.content.flatMap((part) => {
      if (part.type !== "tool-call") return [];
      const isSaid = part.name === "sessions_search";
      const result = isSaid
        ? { text: "Nothing found.", isError: false }
        : { text: output, isError };
      return [{ callId: part.id, name: part.name, ...result }];
    });
    messages.push(last.message, { role: "tool", results } as never);
  }
}
