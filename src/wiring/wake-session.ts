import { wakeAnswerSchema, type WakeAnswer, type WakeReason } from "#contract/agent-rpc.ts";
import type { Wake } from "#platform/agent/sweep.ts";

/** The one thing an agent asks of a session. SessionDO has it; the type keeps the two apart. */
export interface WakeTarget extends Rpc.DurableObjectBranded {
  wake(reason: WakeReason): Promise<WakeAnswer>;
}

const TIMEOUT_MS = 20_000;

/** Wakes a session of its own by RPC. Rejects when it fails or does not answer in time. */
export function createWake(sessions: DurableObjectNamespace<WakeTarget>): Wake {
  return async (sessionKey, reason) => {
    const answer = await inTime(sessions.getByName(sessionKey).wake(reason));
    return wakeAnswerSchema.parse(answer);
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("the session did not answer")), TIMEOUT_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
