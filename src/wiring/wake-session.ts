import { wakeAnswerSchema, type WakeAnswer, type WakeReason } from "#contract/agent-rpc.ts";
import type { Wake } from "#platform/agent/sweep.ts";
import { inTime } from "./in-time.ts";

/** The one thing an agent asks of a session. SessionDO has it; the type keeps the two apart. */
export interface WakeTarget extends Rpc.DurableObjectBranded {
  wake(reason: WakeReason): Promise<WakeAnswer>;
}

const TIMEOUT_MS = 20_000;

/** Wakes a session of its own by RPC. Rejects when it fails or does not answer in time. */
export function createWake(sessions: DurableObjectNamespace<WakeTarget>): Wake {
  return async (sessionKey, reason) => {
    const answer = await inTime(
      sessions.getByName(sessionKey).wake(reason),
      TIMEOUT_MS,
      "the session",
    );
    return wakeAnswerSchema.parse(answer);
  };
}
