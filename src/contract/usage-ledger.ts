import type { UsageRow } from "./agent-port.ts";

/** What model calls cost, over all sessions of all agents. Late by the seconds rows are buffered. */
export interface UsageLedger {
  /** Idempotent per row id; all or nothing. */
  add(rows: readonly UsageRow[]): Promise<void>;
  total(query: UsageQuery): Promise<UsageSum>;
  /** Most expensive first; `label` is `provider/model`. */
  byModel(query: UsageQuery): Promise<LabelledUsage[]>;
  /** Most expensive first; `label` is the session key. */
  bySession(query: UsageQuery): Promise<LabelledUsage[]>;
  /** In order; `label` is the day, YYYY-MM-DD, by a clock `offsetMs` ahead of UTC. */
  byDay(query: UsageQuery, offsetMs: number): Promise<LabelledUsage[]>;
}

/** From `from` on, up to but without `to`: milliseconds since the epoch. */
export interface UsageQuery {
  readonly agentId: string;
  readonly sessionKey?: string;
  readonly from: number;
  readonly to: number;
}

export interface UsageSum {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** US dollars of the calls whose price is known. */
  readonly cost: number;
  /** Calls whose price is not known: the cost is a lower bound when there are any. */
  readonly unpriced: number;
}

export interface LabelledUsage extends UsageSum {
  readonly label: string;
}
