import type { InboxItem } from "#contract/inbox.ts";
import type { JsonValue } from "#contract/json.ts";
import type {
  InboxStore,
  JournalStore,
  SessionStore,
  SettingsStore,
  TextsStore,
  TranscriptStore,
  UsageStore,
} from "#contract/session-store.ts";
import type { UsageRow } from "#contract/agent-port.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import type { JournalRow } from "#contract/turn.ts";
import { MemorySessionStore } from "./session-store.ts";

/**
 * The whole of a session's storage in memory, for turns that run in Node. What the rows say is as the
 * contract has it; limits of rows, pruning and rows that cannot be read are the platform's own.
 */
interface Rows {
  readonly inbox: readonly InboxItem[];
  readonly entries: readonly TranscriptEntry[];
  readonly journal: readonly JournalRow[];
  readonly usage: readonly UsageRow[];
}

export class WholeSessionStore extends MemorySessionStore implements SessionStore {
  #rows: Rows = { inbox: [], entries: [], journal: [], usage: [] };
  #settings = new Map<string, JsonValue>();
  #isCopied = false;
  /** Numbers are not given twice, not even after a transaction that failed. */
  #latestSeq = 0;

  override transaction<T>(work: () => T): T {
    const before = this.#rows;
    const values = this.#settings;
    this.#isCopied = false;
    try {
      return super.transaction(work);
    } catch (error) {
      this.#rows = before;
      this.#settings = values;
      throw error;
    } finally {
      this.#isCopied = false;
    }
  }

  /** There are many, and they are written all the time: copied once for each transaction that does. */
  override readonly settings: SettingsStore = {
    get: (name) => this.#settings.get(name),
    set: (name, value) => void this.#writable().set(name, structuredClone(value)),
    delete: (name) => void this.#writable().delete(name),
  };

  #writable(): Map<string, JsonValue> {
    if (!this.#isCopied) this.#settings = new Map(this.#settings);
    this.#isCopied = true;
    return this.#settings;
  }

  /** Nothing here lives long enough to be cleared away. */
  clearDone(): void {}

  unreadable() {
    return [];
  }

  closeUnreadable() {
    return [];
  }

  readonly inbox: InboxStore = {
    insert: ({ contentHash: _hash, deliveryKey: _key, identityKey: _identity, ...row }) => {
      const seq = (this.#rows.inbox.at(-1)?.seq ?? 0) + 1;
      this.#write({ inbox: [...this.#rows.inbox, { ...row, seq, turnId: null }] });
      return seq;
    },
    findDuplicate: () => null,
    findByContent: () => null,
    releaseKeys: () => {},
    get: (seq) => this.#rows.inbox.find((row) => row.seq === seq) ?? null,
    latestAt: () => this.#rows.inbox.at(-1)?.receivedAt ?? null,
    list: (status, kind, limit) =>
      this.#rows.inbox.filter((row) => row.status === status && row.kind === kind).slice(0, limit),
    ofTurn: (turnId) => this.#rows.inbox.filter((row) => row.turnId === turnId),
    mark: (seqs, status, turnId) => {
      const marked = (row: InboxItem) =>
        seqs.includes(row.seq) ? { ...row, status, turnId } : row;
      this.#write({ inbox: this.#rows.inbox.map(marked) });
    },
    becomeMessage: (seq, message, extra = {}) => {
      const changed = (row: InboxItem): InboxItem =>
        row.seq === seq ? { ...row, kind: "message", status: "waiting", message, extra } : row;
      this.#write({ inbox: this.#rows.inbox.map(changed) });
    },
    moveConversation: () => {},
    trimBuffered: (keep) => {
      const buffered = this.#rows.inbox.filter(({ status }) => status === "buffered");
      const gone = new Set(buffered.slice(0, -keep));
      this.#write({ inbox: this.#rows.inbox.filter((row) => !gone.has(row)) });
    },
    prune: () => {},
  };

  readonly transcript: TranscriptStore = {
    append: (entry) => {
      const seq = this.transcript.latestSeq() + 1;
      this.#latestSeq = seq;
      const stored = JSON.parse(JSON.stringify({ ...entry, seq })) as TranscriptEntry;
      this.#write({ entries: [...this.#rows.entries, stored] });
      return seq;
    },
    since: (sessionId, fromSeq) => this.#of(sessionId).filter(({ seq }) => seq >= fromSeq),
    sizes: (sessionId, fromSeq) =>
      this.transcript
        .since(sessionId, fromSeq)
        .map(({ seq, turnId, role, tokens }) => ({ seq, turnId, role, tokens })),
    page: (afterSeq, limit) =>
      this.#rows.entries.filter(({ seq }) => seq > afterSeq).slice(0, limit),
    pageOf: (sessionId, fromSeq, limit) =>
      this.transcript.since(sessionId, fromSeq).slice(0, limit),
    tainted: (sessionId, fromSeq) =>
      this.transcript.since(sessionId, fromSeq).some(({ trust }) => trust === "untrusted"),
    count: (sessionId) => this.#of(sessionId).length,
    tail: (sessionId, limit) => this.#of(sessionId).slice(-limit),
    before: (seq, limit) => this.#rows.entries.filter((entry) => entry.seq < seq).slice(-limit),
    latestSeq: () => this.#latestSeq,
    oldest: () => this.#rows.entries[0] ?? null,
    bytesAfter: (afterSeq, limit) =>
      this.transcript
        .page(afterSeq, limit)
        .map((entry) => ({ seq: entry.seq, bytes: JSON.stringify(entry).length })),
    remove: (seqs) => {
      const gone = new Set(seqs);
      const removed = this.#rows.entries.filter(({ seq }) => gone.has(seq));
      this.#write({ entries: this.#rows.entries.filter(({ seq }) => !gone.has(seq)) });
      return removed.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
    },
  };

  readonly journal: JournalStore = {
    insert: (row) => this.#write({ journal: [...this.#rows.journal, row] }),
    ofStep: (turnId, step) =>
      this.#rows.journal
        .filter((row) => row.turnId === turnId && row.step === step)
        .toSorted((a, b) => a.position - b.position),
    finishedCalls: (turnId) =>
      this.#rows.journal.filter(
        (row) => row.turnId === turnId && row.kind === "tool" && row.status === "done",
      ),
    start: (...place) => this.#changeCall(place, { status: "started" }),
    finish: (turnId, step, position, output) =>
      this.#changeCall([turnId, step, position], { status: "done", output }),
    prune: () => {},
  };

  readonly usage: UsageStore = {
    add: (row) => this.#write({ usage: [...this.#rows.usage, row] }),
    pending: (limit) => this.#rows.usage.slice(0, limit),
    taken: (ids) => this.#write({ usage: this.#rows.usage.filter(({ id }) => !ids.includes(id)) }),
    totals: () => ({
      calls: 0,
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      cost: 0,
      unreported: 0,
    }),
    prune: () => {},
  };

  readonly texts: TextsStore = { rewrite: () => ({ changed: 0, next: null }) };

  #of(sessionId: string): TranscriptEntry[] {
    return this.#rows.entries.filter((entry) => entry.sessionId === sessionId);
  }

  #write(change: Partial<Rows>): void {
    this.#rows = { ...this.#rows, ...change };
  }

  #changeCall(
    [turnId, step, position]: readonly [string, number, number],
    change: Pick<JournalRow, "status"> & Partial<JournalRow>,
  ): void {
    const isIt = (row: JournalRow) =>
      row.turnId === turnId && row.step === step && row.position === position;
    this.#write({
      journal: this.#rows.journal.map((row) => (isIt(row) ? { ...row, ...change } : row)),
    });
  }
}
