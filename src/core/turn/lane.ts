import type { StepGrant } from "#contract/agent-port.ts";
import type { Turn } from "#contract/turn.ts";
import type { Runner } from "#core/state/fence.ts";
import { commit, TurnEnded } from "#core/state/fence.ts";
import { oweLane } from "#core/state/hand-over.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { describeError } from "#kit/redact.ts";

/**
 * A lane is a throttle the agent keeps over its conversations, not a fence: if the agent cannot be
 * reached three times in a row, the turn runs without one.
 */
const FAIL_OPEN_AFTER = 3;
const RETRY_MS = 300;

/** True: go on. False: the turn waits and has been told when to ask again. */
export async function takeLane(ports: SessionPorts, runner: Runner, turn: Turn): Promise<boolean> {
  oweLane(ports, turn.id);
  const grant = await ask(ports, turn);
  if (grant === "open") return true;
  if (grant !== "failed" && grant.granted) {
    ports.live.laneFailures = 0;
    if (grant.bootstrap) ports.live.bootstrap = grant.bootstrap;
    return true;
  }
  const wait = grant === "failed" ? RETRY_MS : grant.retryAfterMs;
  try {
    commit(ports, runner, turn.id, () =>
      ports.store.turns.update(turn.id, { nextAt: ports.now() + wait }),
    );
  } catch (error) {
    if (!(error instanceof TurnEnded)) throw error;
  }
  return false;
}

async function ask(ports: SessionPorts, turn: Turn): Promise<StepGrant | "failed" | "open"> {
  const known = ports.live.bootstrap?.version;
  try {
    return await ports.agent.beginStep({
      sessionKey: ports.key,
      turnId: turn.id,
      lane: "main",
      ...(known === undefined ? {} : { knownBootstrap: known }),
    });
  } catch (error) {
    ports.live.laneFailures += 1;
    ports.log.warn("lane.unreachable", { turn: turn.id, error: describeError(error) });
    return ports.live.laneFailures >= FAIL_OPEN_AFTER ? "open" : "failed";
  }
}
