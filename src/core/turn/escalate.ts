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
  const shown: MemoryRow[] = [];
  const first = await search(escalation, escalation.question, shown);
  // Nothing there that is near: no model has to be asked to find that out.
  if (first === NOTHING_FOUND) return null;
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
    // One after the other: rows are numbered over all searches.
    const results: ToolResult[] = [];
    for (const call of calls) {
      const isOver = results.length >= CALLS_PER_ROUND;
      const said = isOver ? TOO_MANY : await answer(escalation, call, shown);
      results.push({ callId: call.id, name: call.name, ...said });
    }
    messages.push(message, { role: "tool", results });
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

/** What was found, as a text; `shown` grows by it. */
async function search(
  { memory, projects, asker }: Escalation,
  text: string,
  shown: MemoryRow[],
): Promise<string> {
  const found = await memory.search({ text, trustedOnly: true, projects, asker });
  // The memory was asked for such rows only; that nothing else gets in here does not hang on that alone.
  const rows = found.rows.filter(({ trust }) => isClean(trust));
  const texts = rows.map((row, index) => rowText(row, shown.length + index + 1));
  shown.push(...rows);
  return texts.length === 0 ? NOTHING_FOUND : texts.join("\n\n");
}

const NOTHING_FOUND = "Nothing found.";

/** Without the numbers of its lines: others may have written between them. */
function rowText({ path, text, date }: MemoryRow, number: number): string {
  return `Row ${number}, ${path}${date === null ? "" : ` (${date})`}\n${text}`;
}

const searchArguments = z.object({ query: z.string().min(1) });
const readArguments = z.object({ row: z.number().int().positive() });

const tools: readonly ToolSchema[] = [
  {
    name: "memory_search",
    description: "Search the notes and past conversations.",
    parameters: z.toJSONSchema(searchArguments) as ToolSchema["parameters"],
  },
  {
    name: "memory_get",
    description: "Read on from a row that was found.",
    parameters: z.toJSONSchema(readArguments) as ToolSchema["parameters"],
  },
];

type Said = Pick<ToolResult, "text" | "isError">;

const TOO_MANY: Said = { text: "Too many calls at once.", isError: true };

async function answer(escalation: Escalation, call: ToolCall, shown: MemoryRow[]): Promise<Said> {
  const input = parsed(call.arguments);
  if (call.name === "memory_search") {
    const given = searchArguments.safeParse(input);
    if (!given.success) return { text: "memory_search needs a query.", isError: true };
    return { text: await search(escalation, given.data.query, shown), isError: false };
  }
  if (call.name === "memory_get") {
    const given = readArguments.safeParse(input);
    const row = given.success ? shown[given.data.row - 1] : undefined;
    if (!row) return { text: "memory_get needs the number of a row.", isError: true };
    return read(escalation, row);
  }
  return { text: `There is no tool ${call.name} here.`, isError: true };
}

async function read({ memory, asker }: Escalation, { path, from }: MemoryRow): Promise<Said> {
  const text = await memory.read({ path, from, lines: 30, trustedOnly: true, asker });
  if (!text || !isClean(text.trust)) return { text: "It is not there any more.", isError: true };
  return { text: text.text, isError: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function opening({ question, conversation }: Escalation, rows: string) {
  const before = conversation === "" ? "" : `What was said just before:\n${conversation}\n\n`;
  const text = `${before}The message:\n${question}\n\nA first search found:\n${rows}`;
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
