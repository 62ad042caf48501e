import type { Channel, SendContext, SendResult } from "#contract/channel.ts";
import type { OutboxRow } from "#contract/outbox.ts";
import { drain, nextSendAt } from "#core/delivery/drain.ts";
import { prepare } from "#core/delivery/outbox.ts";
import { LiveTurns } from "#core/state/live.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { MemorySessionStore } from "#test/doubles/session-store.ts";

/**
 * A session's delivery without its object: a store in memory, a platform that does to each request what
 * a script says, a clock that jumps to whatever is due next, and runs of the object that are killed.
 * What must never happen is noted at the moment it does.
 */
export type Fate =
  | "sent"
  | "refused"
  | "again"
  | "again later"
  /** It arrives, and then our own code throws. */
  | "breaks"
  /** No answer comes: the request arrived, or it did not. */
  | "silence, arrived"
  | "silence, lost"
  /** The object is killed before the request arrives, or before the answer comes. */
  | "killed, lost"
  | "killed, arrived";

export interface Happening {
  readonly fate: Fate;
  /** How much else goes on before it arrives, and before its answer comes. */
  readonly before: number;
  readonly after: number;
}

export interface Words {
  readonly kind: "final" | "interim" | "command" | "notice";
  readonly turnId: string | null;
  readonly conversation: string;
  readonly parts: number;
  /** Its first part takes the place of a message that is there. */
  readonly replaces: boolean;
  /** What the channel cannot render. */
  readonly poison: boolean;
  /** Said in that round, so long after its beginning. */
  readonly round: number;
  readonly delay: number;
}

export interface Plan {
  readonly words: readonly Words[];
  readonly script: readonly Happening[];
  /** What the platform can say of a request whose answer was not heard. */
  readonly history: "none" | "true" | "unsure";
  /** Callers that drain at once. */
  readonly drains: number;
  /** Rounds in which the channel is not set up. */
  readonly gone: { readonly from: number; readonly rounds: number };
}

interface Run {
  readonly ports: SessionPorts;
  readonly sleepers: { readonly at: number; readonly wake: () => void }[];
  dead: boolean;
}

const ROUNDS = 400;
const POISON = "poison";
const calm: Happening = { fate: "sent", before: 0, after: 0 };
const results: Readonly<Partial<Record<Fate, SendResult>>> = {
  refused: { status: "failed", reason: "refused" },
  again: { status: "retry", reason: "busy" },
  "again later": { status: "retry", reason: "busy", afterMs: 45_000 },
  "silence, arrived": { status: "unknown", reason: "no answer" },
  "silence, lost": { status: "unknown", reason: "no answer" },
};

export class DeliveryWorld {
  time = 1_000_000;
  readonly store = new MemorySessionStore(() => this.time);
  /** Keys of what was posted (not edited), in the order of arrival. */
  readonly arrived: string[] = [];
  readonly complaints: string[] = [];
  readonly #plan: Plan;
  readonly #script: Happening[];
  readonly #underWay = new Set<string>();
  #runs = 0;
  #round = 0;
  #run: Run;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#script = [...plan.script];
    this.#run = this.#boot();
  }

  get rows(): OutboxRow[] {
    return this.store.outbox.withPrefix("");
  }

  /** Until nothing is left to do, or for longer than it could take. */
  async live(): Promise<void> {
    const { words, drains } = this.#plan;
    const last = Math.max(0, ...words.map(({ round }) => round));
    for (let round = 0; round < ROUNDS; round += 1) {
      this.#round = round;
      for (const [index, each] of words.entries()) {
        if (each.round === round) void ticks(each.delay).then(() => this.#say(each, index));
      }
      for (let count = 0; count < drains; count += 1) this.#background(this.#alive(), drain);
      await everythingElse();
      const at = nextSendAt(this.#alive().ports);
      if (at === null && round >= last) return;
      this.#wakeAt(Math.max(this.time, at ?? 0));
    }
    this.complaints.push("it comes to no end");
  }

  #say({ kind, turnId, conversation, parts, replaces, poison }: Words, index: number): void {
    // Whoever says what a channel that is there cannot render, is told at once.
    if (poison && !this.#isGone()) return;
    const words = Array.from({ length: parts }, (_, part) => `${index}.${part}`);
    const text = [...(poison ? [POISON] : []), ...words].join("|");
    const route = { channel: "c", account: "default", conversation, kind: "direct" } as const;
    this.store.transaction(() =>
      prepare(this.#alive().ports, {
        key: `${kind}:${index}`,
        turnId,
        message: { kind, text },
        route,
        ...(replaces ? { replaces: "m0" } : {}),
      }),
    );
  }

  #wakeAt(time: number): void {
    this.time = time;
    const { sleepers } = this.#alive();
    const due = sleepers.filter(({ at }) => at <= time);
    for (const sleeper of due) sleepers.splice(sleepers.indexOf(sleeper), 1);
    for (const { wake } of due) wake();
  }

  /** The present run; a new one if that was killed. */
  #alive(): Run {
    if (this.#run.dead) this.#run = this.#boot();
    return this.#run;
  }

  #boot(): Run {
    this.#underWay.clear();
    const bootId = `run-${(this.#runs += 1)}`;
    const { store } = this;
    const sleepers: Run["sleepers"] = [];
    const ports = {
      get store() {
        if (run.dead) throw new Error("this run was killed");
        return store;
      },
      bootId,
      live: new LiveTurns(),
      now: () => this.time,
      channel: () => (this.#isGone() ? undefined : this.#channel(run)),
      log: { info() {}, warn() {}, error() {} },
      timers: {
        after: () => () => {},
        sleep: (ms: number) =>
          new Promise<void>((wake) => void sleepers.push({ at: this.time + ms, wake })),
      },
      background: (work: Promise<unknown>) => this.#background(run, () => work),
    } as unknown as SessionPorts;
    const run: Run = { ports, sleepers, dead: false };
    return run;
  }

  #isGone(): boolean {
    const { from, rounds } = this.#plan.gone;
    return this.#round >= from && this.#round < from + rounds;
  }

  #background(run: Run, work: (ports: SessionPorts) => Promise<unknown>): void {
    void work(run.ports).catch((error: unknown) => {
      if (!run.dead) this.complaints.push(String(error));
    });
  }

  #channel(run: Run): Channel {
    const { history } = this.#plan;
    return {
      render: ({ text }) => {
        if (text.startsWith(POISON)) throw new Error("it cannot be rendered");
        return text.split("|").map((part) => ({ payload: {}, text: part }));
      },
      send: (_part, _route, context) => this.#request(run, context, true),
      edit: (_id, _part, _route, context) => this.#request(run, context, false),
      ...(history === "none" ? {} : { reconcile: (key) => this.#lookUp(run, key) }),
    } as Partial<Channel> as Channel;
  }

  async #lookUp(run: Run, key: string) {
    await ticks(2);
    if (run.dead) return never();
    if (this.#plan.history === "unsure") return { status: "unknown" } as const;
    if (!this.arrived.includes(key)) return { status: "absent" } as const;
    return { status: "delivered", messageId: key } as const;
  }

  async #request(run: Run, { deliveryId: key }: SendContext, posts: boolean): Promise<SendResult> {
    const { fate, before, after } = this.#script.shift() ?? calm;
    this.#mayBegin(run, key);
    this.#underWay.add(key);
    await ticks(before);
    if (run.dead) return never();
    if (posts && /^sent$|^breaks$|arrived$/.test(fate)) this.arrived.push(key);
    if (fate.startsWith("killed")) run.dead = true;
    await ticks(after);
    if (run.dead) return never();
    this.#underWay.delete(key);
    if (fate === "breaks") throw new Error("a bug of the channel");
    return results[fate] ?? { status: "sent", messageId: key };
  }

  #mayBegin(run: Run, key: string): void {
    const open = this.store.outbox.open();
    const row = open.find((each) => each.key === key);
    if (this.#underWay.has(key)) this.complaints.push(`${key} is sent twice at once`);
    if (row?.status !== "sending" || row.claim !== run.ports.bootId) {
      this.complaints.push(`${key} is sent without a claim`);
    }
    const { conversation } = row?.route ?? {};
    const earlier = open.find((each) => each.route.conversation === conversation);
    if (earlier && earlier.key !== key) this.complaints.push(`${key} overtakes ${earlier.key}`);
  }
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await Promise.resolve();
}

/** What waits for neither a clock nor a person comes first. */
function everythingElse(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function never(): Promise<never> {
  return new Promise(() => {});
}
