import { runInDurableObject } from "cloudflare:test";
import { openAgentDatabase, type AgentDatabase } from "#platform/agent/database.ts";
import { freshAgent } from "./agent-stub.ts";

/** A clock that stands until it is moved. */
export class Clock {
  time = 1_900_000_000_000;
  readonly now = () => this.time;
}

/** A log that nobody reads. */
export const silent = { info() {}, warn() {}, error() {} };

export interface Inside {
  readonly database: AgentDatabase;
  readonly storage: DurableObjectStorage;
  readonly clock: Clock;
}

/** Runs a test on the parts of an agent, with its real SQLite and a clock of the test's own. */
export async function insideAgent(work: (inside: Inside) => void | Promise<void>): Promise<void> {
  await runInDurableObject(freshAgent().stub, async (_instance, state) => {
    const { storage } = state;
    await work({ database: openAgentDatabase(storage), storage, clock: new Clock() });
    await storage.deleteAlarm();
  });
}
