import type { z } from "zod";
import type { MemoryAnswer, MemoryPlace, MemoryQuery, MemoryText } from "./memory.ts";
import type { SessionEntry } from "./agent-port.ts";
import type { HistoryPage, HistoryRequest } from "./session-rpc.ts";
import type { OutboundMessage, Sender } from "./message.ts";
import type { Intents } from "./intent.ts";
import type { Workspace } from "./workspace.ts";

/**
 * `safe`: a pure read, repeated after a crash. `keyed`: its effect lies inside our own objects and is
 * made exactly once under `operationId`, so it is repeated too. `unsafe`: it acts outside; after a
 * crash it is not repeated and the model is told that the outcome is unknown.
 */
export type ReplayClass = "safe" | "keyed" | "unsafe";

/**
 * Who may see and use a tool: the owner only; whoever shares the workspace; whoever may look into the
 * memory; owners where they have all of it; everybody.
 */
export type ToolLevel = "owner-only" | "workspace" | "memory" | "own-memory" | "public";

export interface Tool<Arguments = unknown> {
  readonly name: string;
  /** For the model; short, because it is paid for with every request. */
  readonly description: string;
  readonly parameters: z.ZodType<Arguments>;
  readonly level: ToolLevel;
  readonly replay: ReplayClass;
  /** Waits for a person's answer: not offered in a conversation that nobody comes back to. */
  readonly needsAnswer?: true;
  /**
   * Runs one call with validated arguments. Expected failures are an outcome with `isError`; what it
   * throws becomes an error result with a generic text and a log line. Ends soon after `signal` aborts.
   */
  execute(input: Arguments, context: ToolContext): Promise<ToolOutcome>;
}

export interface ToolOutcome {
  readonly text: string;
  readonly isError?: boolean;
  /** Ends the turn without an answer. */
  readonly silence?: boolean;
  /** Parks the turn until the person has answered, or the time is over; `text` is then not used. */
  readonly ask?: AskRequest;
  /** The text came from outside (web, mail, a stranger's file): it taints the turn. */
  readonly untrusted?: boolean;
  /** With `untrusted`: only what `frame` stands around is from outside. */
  readonly framed?: boolean;
}

export interface AskRequest {
  readonly question: string;
  /** Shown as buttons where the channel has them; any other answer is fine too. */
  readonly options: readonly string[];
  readonly waitMs: number;
  /** The call is made again with the answer, instead of the answer being its result. */
  readonly again?: true;
}

/** What the person said to a question with `again`. */
export interface PersonAnswer {
  readonly text: string;
  /** All of it is the person's own, nothing forwarded or quoted. */
  readonly own: boolean;
}

/** Forgetting as one call may have it; what is found is shown to the person, never to the model. */
export interface TurnForgetting {
  /** What to ask the person; null = there is nothing like it. Once per call. */
  question(text: string): Promise<string | null>;
  /** Forgets what was asked about; a report for people. */
  confirm(): Promise<string>;
}

export interface ToolContext {
  /** `turn:step.position`: the key under which a keyed effect happens exactly once. */
  readonly operationId: string;
  readonly sessionKey: string;
  readonly sender: Sender;
  /** True only in a turn that an owner's message in a direct chat began: of no job or heartbeat. */
  readonly interactiveOwner: boolean;
  /** True while anything untrusted is in the model's window. */
  readonly tainted: boolean;
  /** When the call began, milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly memory: TurnMemory;
  readonly forgetting: TurnForgetting;
  /** Only where this call has asked before. */
  readonly answer?: PersonAnswer;
  readonly intents: Intents;
  readonly session: SessionFacts;
  /** Marks a part of the result as written by somebody else. `part` tells parts of one call apart. */
  frame(text: string, part: number): string;
  /** Queues a message under `operationId` (exactly once); says what became of it. */
  sendMessage(message: OutboundMessage, target: MessageTarget): Promise<MessageReceipt>;
}

/** The agent's memory as one call may use it. */
export interface TurnMemory {
  search(query: Omit<MemoryQuery, "asker">): Promise<MemoryAnswer>;
  read(place: Omit<MemoryPlace, "asker">): Promise<MemoryText | null>;
  /** Once under the call's operation id. */
  write(entry: MemoryEntry): Promise<MemoryReceipt>;
}

export interface MemoryEntry {
  readonly text: string;
  /** Today's note, or a directive in USER.md. */
  readonly target: "note" | "preference";
  /** Words of the directive it takes the place of. */
  readonly replaces?: string | undefined;
}

export type MemoryReceipt =
  | { readonly ok: true; readonly description: string }
  | { readonly ok: false; readonly reason: string };

export type MessageTarget = { readonly here: true } | { readonly sessionKey: string };
export type MessageReceipt =
  | { readonly ok: true; readonly description: string }
  | { readonly ok: false; readonly reason: string };

/** What tools may tell of this and other conversations. */
export interface SessionFacts {
  describe(): Promise<string>;
  /** Conversations of this agent, latest activity first. */
  list(limit: number): Promise<readonly SessionEntry[]>;
  /** Of a conversation of this agent; null = there is none, or nothing of it may be told. */
  history(sessionKey: string, request: HistoryRequest): Promise<HistoryPage | null>;
}

export interface ToolSetExtension {
  readonly kind: "tools";
  readonly id: string;
  readonly tools: readonly Tool[];
}

/** Keeps the argument type inferred from the schema while the list of tools stays uniform. */
export function defineTool<Arguments>(tool: Tool<Arguments>): Tool {
  return tool as unknown as Tool;
}
