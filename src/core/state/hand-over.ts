import { describeError } from "#kit/redact.ts";
import type { SessionPorts } from "./ports.ts";
import { getSetting, setSetting } from "./settings.ts";

const ROWS = 200;

/**
 * Gives usage rows and lanes back to the agent when a turn has ended or waits for a person. What is
 * owed is a stored fact: a run that was killed before the agent confirmed leaves it to the next one, or
 * the agent would run out of lanes with every restart. Rows stay here until the agent has confirmed.
 */
export async function handOver(ports: SessionPorts): Promise<void> {
  for (const turnId of owed(ports)) {
    const usage = ports.store.usage.pending(ROWS);
    try {
      await ports.agent.endTurn({ sessionKey: ports.key, turnId, usage });
    } catch (error) {
      const { key: session } = ports;
      ports.log.warn("usage.kept", { session, rows: usage.length, error: describeError(error) });
      return;
    }
    ports.store.transaction(() => {
      ports.store.usage.taken(usage.map((row) => row.id));
      const { settings } = ports.store;
      setSetting(
        settings,
        "lanes",
        lanes(ports).filter((id) => id !== turnId),
      );
    });
  }
}

/** Notes that a turn is about to ask for a lane. */
export function oweLane(ports: SessionPorts, turnId: string): void {
  const taken = lanes(ports);
  if (!taken.includes(turnId)) setSetting(ports.store.settings, "lanes", [...taken, turnId]);
}

/** An agent that could not be reached is asked again after this long. */
const AGAIN_MS = 30_000;

/** When to try again to give back what is owed; null = nothing is. */
export function handOverAt(ports: SessionPorts): number | null {
  return owed(ports).length === 0 ? null : ports.now() + AGAIN_MS;
}

function owed(ports: SessionPorts): string[] {
  const running = ports.store.turns.running()?.id;
  return lanes(ports).filter((id) => id !== running);
}

function lanes(ports: SessionPorts): string[] {
  return getSetting(ports.store.settings, "lanes") ?? [];
}
