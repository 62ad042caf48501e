import { z } from "zod";
import type { RecallStyle } from "#contract/config.ts";
import type { Memory, MemoryAsker, MemoryRow } from "#contract/memory.ts";
import type {
  AssistantMessage,
  ModelMessage,
  ToolCall,
  ToolResult,
  ToolSchema,
} from "#contract/model.ts";
import { isClean } from "#contract/transcript.ts";
import { truncateText } from "#kit/text/graphemes.ts";

/**
 * The small agent that looks something up before an answer: a loop of its own with the
 * memory's two tools and nothing else, over rows that are to be trusted only. It ends with a few facts
 * or with nothing, soon, and whatever fails in it means nothing was found. Pure: how a model is called
 * is handed in, and so is the end of its time.
 */
export interface Escalation {
  /** What the search goes by. */
  readonly question: string;
  /** What was said just before it; may be empty. */
  readonly conversation: string;
  readonly style: RecallStyle;
  readonly asker: MemoryAsker;
  /** Those that are active. */
  readonly projects: readonly string[];
  readonly memory: Pick<Memory, "search" | "read">;
  /** One call of the model; null = it failed. */
  ask(request: EscalationRequest): Promise<AssistantMessage | null>;
  readonly signal: AbortSignal;
}

export interface EscalationRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSchema[];
}

const ROUNDS = 3;
const MAX_CHARS = 220;
const CALLS_PER_ROUND = 4;
const NOTHING = /^\W*none\W*$/i;

/** At most 220 characters, or null: nothing that helps. Rejects only if a port does. */
export async function escalate(escalation: Escalation): Promise<string | null> {
  const first = await search(escalation, escalation.question);
  // Nothing there that is near: no model has to be asked to find that out.
  if (first.length === 0) return null;
  const messages: ModelMessage[] = [{ role: "user", content: [opening(escalation, first)] }];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const last = round === ROUNDS;
    const message = await escalation.ask({
      system: instructions[escalation.style],
      messages,
      tools: last ? [] : tools,
    });
    if (message === null || escalation.signal.aborted) return null;
    const calls = message.content.filter((part): part is ToolCall => part.type === "tool-call");
    if (calls.length === 0) return found(message);
    if (last) return null;
    messages.push(message, { role: "tool", results: await answerAll(escalation, calls) });
  }
  return null;
}

function found({ content }: AssistantMessage): string | null {
  const text = content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
  if (text === "" || NOTHING.test(text)) return null;
  return text.length <= MAX_CHARS ? text : `${truncateText(text, MAX_CHARS - 1)}…`;
}

async function search(
  { memory, projects, asker }: Escalation,
  text: string,
): Promise<readonly MemoryRow[]> {
  const answer = await memory.search({ text, trustedOnly: true, projects, asker });
  // The memory was asked for such rows only; that nothing else gets in here does not hang on that alone.
  return answer.rows.filter(({ trust }) => isClean(trust));
}

const searchArguments = z.object({ query: z.string().min(1) });
const readArguments = z.object({
  path: z.string().min(1),
  from: z.number().int().positive().optional(),
});

const tools: readonly ToolSchema[] = [
  {
    name: "memory_search",
    description: "Search the notes and past conversations.",
    parameters: z.toJSONSchema(searchArguments) as ToolSchema["parameters"],
  },
  {
    name: "memory_get",
    description: "Read more lines around a result.",
    parameters: z.toJSONSchema(readArguments) as ToolSchema["parameters"],
  },
];

async function answerAll(
  escalation: Escalation,
  calls: readonly ToolCall[],
): Promise<ToolResult[]> {
  return Promise.all(
    calls.map(async (call, index) => ({
      callId: call.id,
      name: call.name,
      ...(index < CALLS_PER_ROUND
        ? await answer(escalation, call)
        : { text: "Too many calls at once.", isError: true }),
    })),
  );
}

type Said = Pick<ToolResult, "text" | "isError">;

async function answer(escalation: Escalation, call: ToolCall): Promise<Said> {
  const input = parsed(call.arguments);
  if (call.name === "memory_search") {
    const given = searchArguments.safeParse(input);
    if (!given.success) return { text: "memory_search needs a query.", isError: true };
    return { text: listed(await search(escalation, given.data.query)), isError: false };
  }
  if (call.name === "memory_get") {
    const given = readArguments.safeParse(input);
    if (!given.success) return { text: "memory_get needs a path.", isError: true };
    return read(escalation, given.data);
  }
  return { text: `There is no tool ${call.name} here.`, isError: true };
}

async function read(
  { memory, asker }: Escalation,
  { path, from }: z.infer<typeof readArguments>,
): Promise<Said> {
  const place = { path, lines: 30, asker, ...(from === undefined ? {} : { from }) };
  const text = await memory.read(place);
  if (!text) return { text: `There is nothing at ${path}.`, isError: true };
  if (!isClean(text.trust)) return { text: "These lines hold text from outside.", isError: true };
  return { text: text.text, isError: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function listed(rows: readonly MemoryRow[]): string {
  if (rows.length === 0) return "Nothing found.";
  return rows
    .map(
      ({ path, from, to, text, date }) =>
        `${path}:${from}-${to}${date === null ? "" : ` (${date})`}\n${text}`,
    )
    .join("\n\n");
}

function opening({ question, conversation }: Escalation, rows: readonly MemoryRow[]) {
  const before = conversation === "" ? "" : `What was said just before:\n${conversation}\n\n`;
  const text = `${before}The message:\n${question}\n\nA first search found:\n${listed(rows)}`;
  return { type: "text" as const, text };
}

const base = `You look things up in a person's memory for their assistant, who will answer the message below. From the search results and, if needed, a few more searches, give the facts that help to answer it: plain statements with dates, at most ${MAX_CHARS} characters, nothing else. Do not answer the message, do not guess. If nothing found helps, write NONE.`;

const instructions: Readonly<Record<RecallStyle, string>> = {
  balanced: base,
  strict: `${base} Give only what was found word for word, and NONE where there is the least doubt.`,
  contextual: `${base} What was said just before decides what the message is about.`,
  "recall-heavy": `${base} Rather give a fact too many than miss one.`,
  "precision-heavy": `${base} Rather write NONE than give a fact that is beside the point.`,
  "preference-only": `${base} Only preferences and habits of the person count; for anything else write NONE.`,
};
