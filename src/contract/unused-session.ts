import type { SessionEntry } from "./agent-port.ts";

/** A session at rest, as an agent that has too many chooses from. */
export interface UnusedSession extends SessionEntry {
  /** `channel:conversation[:thread]`, lower-case. */
  readonly address: string | null;
}
