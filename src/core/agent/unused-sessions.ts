import type { RetentionConfig } from "#contract/config.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { PutAwayAnswer } from "#contract/session-rpc.ts";
import type { UnusedSession } from "#contract/unused-session.ts";
import { describeError } from "#kit/redact.ts";

/**
 * An agent keeps so many conversations at hand; of more, those unused for longest are put away. It only
 * chooses and asks: each conversation decides for itself whether it is in use, and does the work. A few a
 * step; those that are about it are asked again before any other, so that no more go than are too many. One
 * that is in use or fails is spared for a while, so that it stands in nobody's way.
 */
export interface SessionShelf {
  /** How many are not put away. */
  present(): number;
  /** At rest, not put away and not spared, the longest unused first. */
  unused(limit: number): UnusedSession[];
  spare(sessionKey: string, until: number): void;
  archive(session: UnusedSession): void;
}

export interface UnusedPorts {
  readonly shelf: SessionShelf;
  readonly rules: Pick<RetentionConfig, "sessions" | "pinned">;
  readonly isPinned: (session: UnusedSession) => boolean;
  readonly ask: (sessionKey: string) => Promise<PutAwayAnswer>;
  readonly now: Now;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As long as a conversation itself calls recent (core/session/last-used.ts). */
const ACTIVE_MS = 2 * DAY_MS;
const LOOKED_AT = 20;
const ASKED = 5;

/** How long until one is asked again. */
const spared = { kept: DAY_MS, failed: HOUR_MS } as const;

/** `more`: there are others to be asked. `later`: some are not through yet. */
export async function putAwayUnused(ports: UnusedPorts): Promise<"done" | "more" | "later"> {
  const { shelf, rules, now } = ports;
  const over = shelf.present() - rules.sessions;
  if (over <= 0) return "done";
  const { chosen, pinned, more } = chooseUnused(shelf.unused(LOOKED_AT), {
    most: Math.min(over, ASKED),
    before: now() - ACTIVE_MS,
    isPinned: ports.isPinned,
  });
  for (const { sessionKey } of pinned) shelf.spare(sessionKey, now() + spared.kept);
  const answers = await Promise.all(chosen.map((session) => askOne(ports, session)));
  if (answers.includes("more")) return "later";
  return more && shelf.present() > rules.sessions ? "more" : "done";
}

export interface Choice {
  readonly most: number;
  /** Whoever was active later stays. */
  readonly before: number;
  readonly isPinned: (session: UnusedSession) => boolean;
}

/** From the longest unused on: who is to be asked, who must not be, and whether others may follow. */
export function chooseUnused(
  sessions: readonly UnusedSession[],
  { most, before, isPinned }: Choice,
): {
  readonly chosen: readonly UnusedSession[];
  readonly pinned: readonly UnusedSession[];
  readonly more: boolean;
} {
  const old = sessions
    .filter(({ lastActiveAt }) => lastActiveAt < before)
    .toSorted((one, other) => one.lastActiveAt - other.lastActiveAt);
  const pinned = old.filter((session) => isPinned(session));
  const chosen = old.filter((session) => !isPinned(session)).slice(0, most);
  return { chosen, pinned, more: chosen.length + pinned.length > 0 };
}

async function askOne(
  { shelf, ask, now, log }: UnusedPorts,
  session: UnusedSession,
): Promise<PutAwayAnswer> {
  const { sessionKey } = session;
  try {
    const answer = await ask(sessionKey);
    if (answer === "away") shelf.archive(session);
    if (answer === "kept") shelf.spare(sessionKey, now() + spared.kept);
    return answer;
  } catch (error) {
    log.warn("session.not_put_away", { session: sessionKey, error: describeError(error) });
    shelf.spare(sessionKey, now() + spared.failed);
    return "kept";
  }
}
