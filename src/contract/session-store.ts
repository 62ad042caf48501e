import type { AcceptExtra, InboxItem, InboxKind, InboxPlace, InboxStatus } from "./inbox.ts";
import type { JsonValue } from "./json.ts";
import type { InboundMessage } from "./message.ts";
import type { NewOutboxRow, OutboxMode, OutboxRow, OutboxStatus } from "./outbox.ts";
import type { EntrySize, NewTranscriptEntry, TranscriptEntry } from "./transcript.ts";
import type { JournalRow, ToolOutput, Turn, TurnDetail } from "./turn.ts";
import type { UsageRow } from "./agent-port.ts";

/**
 * The storage of one session. Every method is synchronous: what happens between two awaits commits
 * as one, and `transaction` rolls back on a throw. One owner per piece of state: each part below is
 * the only writer of its table. A row that cannot be read is left out of every answer.
 */
export interface SessionStore {
  readonly inbox: InboxStore;
  readonly transcript: TranscriptStore;
  readonly turns: TurnStore;
  readonly journal: JournalStore;
  readonly outbox: OutboxStore;
  readonly settings: SettingsStore;
  readonly usage: UsageStore;
  readonly texts: TextsStore;
  /** Deletes all that is done and older, but for the transcript and the settings. */
  clearDone(before: number): void;
  transaction<T>(work: () => T): T;
  /** Sets the object's alarm; part of the surrounding transaction. */
  setAlarm(at: number): void;
  /** Rows met so far that cannot be read and that something waits for. */
  unreadable(): readonly UnreadableRow[];
  /** Closes them: nothing waits for them any more. Returns which. */
  closeUnreadable(): readonly UnreadableRow[];
}

/** Forgetting alone goes over what others have written, and only where nothing works on it any more. */
export interface TextsStore {
  /**
   * Puts changed values in place of stored ones: a bounded part, from where the last one ended. `change`
   * gives back the very value that is to stay. `next` null = there is no more.
   */
  rewrite(
    after: string | null,
    change: (value: unknown) => unknown,
  ): { readonly changed: number; readonly next: string | null };
}

export interface UnreadableRow {
  readonly table: "inbox" | "entry" | "turn" | "journal" | "outbox" | "usage";
  /** The turn's id, else the number or name of the row. */
  readonly id: string;
}

export interface InboxStore {
  /** Null when either dedupe key is known already; see `findDuplicate`. */
  insert(row: NewInboxRow): number | null;
  /** The row that made an insert a duplicate. */
  findDuplicate(keys: DedupeKeys): InboxPlace | null;
  /** The latest one. */
  findByContent(contentHash: string, since: number): InboxPlace | null;
  /** Lets another row have this one's dedupe keys: what it asked for is tried anew. */
  releaseKeys(seq: number): void;
  get(seq: number): InboxPlace | null;
  /** When the newest row arrived; null = there is none. */
  latestAt(): number | null;
  /** In order of arrival. */
  list(status: InboxStatus, kind: InboxKind, limit: number): InboxItem[];
  ofTurn(turnId: string): InboxItem[];
  mark(seqs: readonly number[], status: InboxStatus, turnId: string | null): void;
  /** A command whose text is meant for the model after all. */
  becomeMessage(seq: number, message: InboundMessage, extra?: AcceptExtra): void;
  /** Messages that are not done yet are of another conversation from now on. */
  moveConversation(channel: string, from: string, to: string): void;
  /** Lets go of all but the newest `keep` overheard messages. */
  trimBuffered(keep: number): void;
  /** Forgets rows that are done and older than `before`, a bounded number at a time. */
  prune(before: number): void;
}

export interface DedupeKeys {
  readonly deliveryKey: string;
  readonly identityKey: string;
}

export interface NewInboxRow extends DedupeKeys {
  readonly kind: InboxKind;
  readonly status: InboxStatus;
  readonly message: InboundMessage;
  readonly extra: AcceptExtra;
  readonly contentHash: string | null;
  readonly receivedAt: number;
  readonly notBefore: number;
}

export interface TranscriptStore {
  append(entry: NewTranscriptEntry): number;
  /** Entries of a session from `fromSeq` on, in order. Bounded by the caller's choice of fromSeq. */
  since(sessionId: string, fromSeq: number): TranscriptEntry[];
  sizes(sessionId: string, fromSeq: number): EntrySize[];
  /**
   * A page for export, in order, over all sessions of the key: at most `limit` entries and some
   * megabytes, but one at least. Empty = there is no more.
   */
  page(afterSeq: number, limit: number): TranscriptEntry[];
  /** The same of one session, from `fromSeq` on. */
  pageOf(sessionId: string, fromSeq: number, limit: number): TranscriptEntry[];
  /** Is any entry from `fromSeq` on untrusted? */
  tainted(sessionId: string, fromSeq: number): boolean;
  count(sessionId: string): number;
  /** The last entries of a session, in order. */
  tail(sessionId: string, limit: number): TranscriptEntry[];
  /** The last entries before that one, over all sessions of the key, in order. */
  before(seq: number, limit: number): TranscriptEntry[];
  /** Of the newest entry there ever was; 0 = there was none. */
  latestSeq(): number;
  /** The first entry that is stored here; null = there is none. */
  oldest(): Pick<TranscriptEntry, "seq" | "sessionId" | "at"> | null;
  /** What entries after that one take up, in order. */
  bytesAfter(afterSeq: number, limit: number): { readonly seq: number; readonly bytes: number }[];
  /** Lets go of entries that stand elsewhere; returns what they took up. */
  remove(seqs: readonly number[]): number;
}

export interface TurnStore {
  insert(turn: Turn): void;
  get(id: string): Turn | null;
  /** The one running turn, if any. */
  running(): Turn | null;
  /** Those that wait for a person, oldest first. */
  parked(): Turn[];
  latest(): Turn | null;
  update(id: string, change: TurnChange): void;
  /** Forgets turns that ended before then, a bounded number at a time; never the latest. */
  prune(before: number): void;
}

export type TurnChange = Partial<
  Pick<Turn, "status" | "phase" | "step" | "attempts" | "resumes" | "nextAt" | "endedAt">
> & { readonly detail?: TurnDetail };

export interface JournalStore {
  insert(row: JournalRow): void;
  ofStep(turnId: string, step: number): JournalRow[];
  /** All tool calls of a turn that are done, in order: for the loop detector. */
  finishedCalls(turnId: string): JournalRow[];
  start(turnId: string, step: number, position: number): void;
  finish(turnId: string, step: number, position: number, output: ToolOutput | null): void;
  prune(before: number): void;
}

export interface OutboxStore {
  /** Does nothing when the key is there already. */
  insert(row: NewOutboxRow): void;
  ofTurn(turnId: string): OutboxRow[];
  /** Rows whose key begins so, in order. */
  withPrefix(prefix: string): OutboxRow[];
  /** Rows that have become unknown or failed since then, in order; at most 100. */
  doubtful(since: number): OutboxRow[];
  /** Rows that are prepared or sending, in order. */
  open(): OutboxRow[];
  /** prepared → sending, only if it is still prepared. False: somebody else has it. */
  claim(seq: number, claim: string, at: number): boolean;
  /** Moves a row that `claim` holds. False: it is no longer ours. */
  settle(seq: number, claim: string, change: OutboxSettlement): boolean;
  /** Takes a prepared row away, for others that will stand in its place. False: it is not there any more. */
  remove(seq: number): boolean;
  /** Takes over rows that an earlier run of the object left in `sending`. */
  takeOver(seq: number, from: string, to: string, at: number): boolean;
  prune(before: number): void;
}

export interface OutboxSettlement {
  readonly status: OutboxStatus;
  /** An edit that was refused becomes a plain send. */
  readonly mode?: OutboxMode;
  readonly messageId?: string;
  readonly nextAt?: number;
  readonly error?: string;
  /** Counts a try that did not end in `sent`. */
  readonly attempt?: boolean;
}

/** Small values of the session, each under a name of core/state/settings.ts. */
export interface SettingsStore {
  get(name: string): JsonValue | undefined;
  set(name: string, value: JsonValue): void;
  delete(name: string): void;
}

export interface UsageStore {
  add(row: UsageRow): void;
  /** Rows the agent has not taken over yet. */
  pending(limit: number): UsageRow[];
  taken(ids: readonly string[]): void;
  totals(sessionId: string): UsageTotals;
  /** Forgets the sums of sessions that began before then, a bounded number at a time, but for one. */
  prune(before: number, keep: string): void;
}

export interface UsageTotals {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** US dollars; null when some call's price, or what it used, is not known. */
  readonly cost: number | null;
  /** Calls whose tokens are in none of the sums: the model's server did not report them. */
  readonly unreported: number;
}
