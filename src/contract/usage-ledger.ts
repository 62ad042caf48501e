import type { UsageRow } from "./agent-port.ts";

/** What model calls cost, over all sessions of all agents. Written here, read by whoever has the database. */
export interface UsageLedger {
  /** Idempotent per row id; all or nothing. */
  add(rows: readonly UsageRow[]): Promise<void>;
}
