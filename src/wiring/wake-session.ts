import { wakeAnswerSchema } from "#contract/agent-rpc.ts";
import type { SessionRpc } from "#contract/session-rpc.ts";
import type { Wake } from "#platform/agent/sweep.ts";
import { inTime } from "./in-time.ts";

const TIMEOUT_MS = 20_000;

/** Wakes a session of its own by RPC. Rejects when it fails or does not answer in time. */
export function createWake(session: (sessionKey: string) => Pick<SessionRpc, "wake">): Wake {
  return async (sessionKey, reason) => {
    const answer = await inTime(session(sessionKey).wake(reason), TIMEOUT_MS, "the session");
    return wakeAnswerSchema.parse(answer);
  };
}
