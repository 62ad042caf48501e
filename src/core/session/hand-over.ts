import type { SessionPorts } from "./ports.ts";
import { describeError } from "#kit/redact.ts";

const ROWS = 200;

/**
 * Gives usage rows and the lane back to the agent when no turn runs any more. In the background and
 * repeatable: rows stay here until the agent has confirmed them.
 */
export function handOver(ports: SessionPorts): void {
  if (ports.store.turns.running()) return;
  const turnId = ports.store.turns.latest()?.id;
  if (turnId === undefined) return;
  ports.background(giveBack(ports, turnId));
}

async function giveBack(ports: SessionPorts, turnId: string): Promise<void> {
  const usage = ports.store.usage.pending(ROWS);
  try {
    await ports.agent.endTurn({ sessionKey: ports.key, turnId, usage });
    ports.store.usage.taken(usage.map((row) => row.id));
  } catch (error) {
    ports.log.warn("usage.kept", {
      session: ports.key,
      rows: usage.length,
      error: describeError(error),
    });
  }
}
