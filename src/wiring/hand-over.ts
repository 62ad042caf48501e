import type { Log } from "#contract/ports.ts";
import type { SessionRpc } from "#contract/session-rpc.ts";
import { isOnePersons } from "#core/routing/session-key.ts";
import { describeError } from "#kit/redact.ts";
import type { SessionDirectory } from "#platform/agent/sessions.ts";
import { inTime } from "./in-time.ts";

/** Has conversations give the memory what it does not have of them yet: the most lately active. Never rejects. */
export type HandOver = (limits: HandOverLimits) => Promise<void>;

export interface HandOverLimits {
  readonly conversations: number;
  readonly parallel: number;
  /** What each may take. One that takes longer goes on, and is not waited for. */
  readonly ms: number;
}

export interface HandOverParts {
  readonly sessions: Pick<SessionDirectory, "list">;
  readonly session: (key: string) => Pick<SessionRpc, "handOver">;
  readonly log: Log;
}

/** Conversations of many people, which have no part in the memory, are passed over. */
const LOOKED_AT = 50;

export function createHandOver({ sessions, session, log }: HandOverParts): HandOver {
  return async ({ conversations, parallel, ms }) => {
    const queue = sessions
      .list(LOOKED_AT)
      .map(({ sessionKey }) => sessionKey)
      .filter(isOnePersons)
      .slice(0, conversations);
    const next = async (): Promise<void> => {
      for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
        try {
          await inTime(session(key).handOver(), ms, "a conversation");
        } catch (error) {
          log.warn("memory.not_handed_over", { session: key, error: describeError(error) });
        }
      }
    };
    await Promise.all(Array.from({ length: parallel }, next));
  };
}
