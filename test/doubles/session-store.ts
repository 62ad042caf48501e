import type { NewOutboxRow, OutboxRow } from "#contract/outbox.ts";
import type { JsonValue } from "#contract/json.ts";
import type {
  OutboxSettlement,
  OutboxStore,
  SessionStore,
  SettingsStore,
  TurnChange,
  TurnStore,
} from "#contract/session-store.ts";
import type { Turn } from "#contract/turn.ts";

/**
 * The part of a session's storage that delivery uses, in memory. It keeps the promises of the contract
 * and passes the same suite as the real one (test/contract/session-store-suite.ts); limits of rows and
 * rows that cannot be read are the platform's own.
 */
export type DeliveryStore = Pick<
  SessionStore,
  "outbox" | "turns" | "settings" | "transaction" | "setAlarm"
>;

/** Never changed in place: what it was is what a rollback goes back to. */
interface Data {
  readonly seq: number;
  readonly rows: readonly OutboxRow[];
  readonly turns: readonly Turn[];
  readonly settings: ReadonlyMap<string, JsonValue>;
  readonly alarm: number | null;
}

const nothing: Data = { seq: 0, rows: [], turns: [], settings: new Map(), alarm: null };

export class MemorySessionStore implements DeliveryStore {
  #data = nothing;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get alarm(): number | null {
    return this.#data.alarm;
  }

  transaction<T>(work: () => T): T {
    const before = this.#data;
    try {
      return work();
    } catch (error) {
      this.#data = before;
      throw error;
    }
  }

  setAlarm(at: number): void {
    this.#write({ alarm: at });
  }

  readonly outbox: OutboxStore = {
    insert: (row) => this.#insert(row),
    ofTurn: (turnId) => this.#rows((row) => row.turnId === turnId),
    withPrefix: (prefix) => this.#rows((row) => row.key.startsWith(prefix)),
    doubtful: (since) =>
      this.#rows(({ at, status }) => at >= since && /^(unknown|failed)$/.test(status)).slice(
        0,
        100,
      ),
    open: () => this.#rows(isOpen),
    claim: (seq, claim, at) =>
      this.#change(
        (row) => row.seq === seq && row.status === "prepared",
        () => ({ status: "sending", claim, claimedAt: at }),
      ),
    settle: (seq, claim, change) =>
      this.#change(heldBy(seq, claim), settledAs(change, this.#now())),
    remove: (seq) => {
      const rows = this.#data.rows.filter((row) => row.seq !== seq || row.status !== "prepared");
      const removed = rows.length < this.#data.rows.length;
      this.#write({ rows });
      return removed;
    },
    takeOver: (seq, from, to, at) =>
      this.#change(heldBy(seq, from), () => ({ claim: to, claimedAt: at })),
    prune: (before) => {
      const old = this.#data.rows.filter((row) => row.at < before && !isOpen(row)).slice(0, 50);
      this.#write({ rows: this.#data.rows.filter((row) => !old.includes(row)) });
    },
  };

  readonly turns: TurnStore = {
    insert: (turn) => {
      this.#refuseSecond(turn.id, turn.status);
      this.#write({ turns: [...this.#data.turns, stored(turn)] });
    },
    get: (id) => this.#data.turns.find((turn) => turn.id === id) ?? null,
    running: () => this.#data.turns.find(({ status }) => status === "running") ?? null,
    parked: () => this.#data.turns.filter(({ status }) => status === "parked"),
    latest: () => this.#data.turns.at(-1) ?? null,
    update: (id, change) => this.#updateTurn(id, change),
    prune: (before) => {
      const latest = this.#data.turns.at(-1);
      const kept = (turn: Turn) => turn === latest || (turn.endedAt ?? Infinity) >= before;
      this.#write({ turns: this.#data.turns.filter(kept) });
    },
  };

  readonly settings: SettingsStore = {
    get: (name) => this.#data.settings.get(name),
    set: (name, value) =>
      this.#write({ settings: new Map([...this.#data.settings, [name, stored(value)]]) }),
    delete: (name) =>
      this.#write({ settings: new Map([...this.#data.settings].filter(([key]) => key !== name)) }),
  };

  #write(change: Partial<Data>): void {
    this.#data = { ...this.#data, ...change };
  }

  #rows(wanted: (row: OutboxRow) => boolean): OutboxRow[] {
    return this.#data.rows.filter(wanted);
  }

  #insert(row: NewOutboxRow): void {
    const seq = this.#data.seq + 1;
    // A refused row uses up a number too.
    this.#write({ seq });
    if (this.#data.rows.some(({ key }) => key === row.key)) return;
    const beginning = { status: "prepared", attempts: 0, nextAt: 0, at: this.#now() } as const;
    const free = { claim: null, claimedAt: null, error: null };
    const added = { messageId: null, ...stored(row), seq, ...beginning, ...free };
    this.#write({ rows: [...this.#data.rows, added] });
  }

  /** Compare and set. */
  #change(
    wanted: (row: OutboxRow) => boolean,
    change: (row: OutboxRow) => Partial<OutboxRow>,
  ): boolean {
    const found = this.#data.rows.find(wanted);
    if (!found) return false;
    const changed = { ...found, ...change(found) };
    this.#write({ rows: this.#data.rows.map((row) => (row === found ? changed : row)) });
    return true;
  }

  #updateTurn(id: string, change: TurnChange): void {
    this.#refuseSecond(id, change.status);
    const changed = (turn: Turn) => (turn.id === id ? stored({ ...turn, ...change }) : turn);
    this.#write({ turns: this.#data.turns.map(changed) });
  }

  #refuseSecond(id: string, status: Turn["status"] | undefined): void {
    const running = this.turns.running();
    if (status === "running" && running && running.id !== id) {
      throw new Error(`turn ${running.id} is running already`);
    }
  }
}

/** As it comes back from a column of JSON. */
function stored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function isOpen({ status }: Pick<OutboxRow, "status">): boolean {
  return status === "prepared" || status === "sending";
}

function heldBy(seq: number, claim: string): (row: OutboxRow) => boolean {
  return (row) => row.seq === seq && row.status === "sending" && row.claim === claim;
}

function settledAs(
  { attempt, ...given }: OutboxSettlement,
  now: number,
): (row: OutboxRow) => Partial<OutboxRow> {
  return ({ attempts, at }) => ({
    ...given,
    claim: null,
    attempts: attempts + (attempt ? 1 : 0),
    at: isOpen(given) ? at : now,
  });
}
