import type { Config, ResetPolicy } from "#contract/config.ts";
import type { ChatKind } from "#contract/message.ts";
import { hourBegins, localDate } from "./zone-clock.ts";

/**
 * Has a session run out? Asked when the next message arrives, never by a timer. "daily" compares the
 * start of the session with the owner's clock, "idle" the last message of a person; heartbeats and
 * jobs are not in the input, so they cannot count. With both, the first to expire gives the reason.
 */
export type ExpiryReason = "daily" | "idle";

export interface SessionAge {
  /** Milliseconds since the epoch, like all times here. */
  readonly startedAt: number;
  /** Null when no person has written in this session yet: then its start counts. */
  readonly lastUserMessageAt: number | null;
  readonly now: number;
  /** IANA zone of the owner. */
  readonly timeZone: string;
}

/** The reason the session has expired for, or null. */
export function expiryReason(policy: ResetPolicy, age: SessionAge): ExpiryReason | null {
  const daily = dailyExpiry(policy, age);
  const idle = idleExpiry(policy, age);
  if (Math.min(daily, idle) > age.now) return null;
  return daily <= idle ? "daily" : "idle";
}

/** The policy for a kind of chat: its own, else the general one. */
export function resetPolicyFor(session: Config["session"], kind: ChatKind): ResetPolicy {
  return session.resetByKind[kind] ?? session.reset;
}

function idleExpiry(policy: ResetPolicy, age: SessionAge): number {
  if (policy.mode === "none" || policy.idleMinutes === undefined) return Infinity;
  return (age.lastUserMessageAt ?? age.startedAt) + policy.idleMinutes * 60_000;
}

/** The first time after the session's start that the owner's clock strikes the hour. */
function dailyExpiry(policy: ResetPolicy, age: SessionAge): number {
  if (policy.mode !== "daily") return Infinity;
  const { startedAt, timeZone } = age;
  const date = localDate(startedAt, timeZone);
  const today = hourBegins(date, policy.atHour, timeZone);
  if (today > startedAt) return today;
  return hourBegins({ ...date, day: date.day + 1 }, policy.atHour, timeZone);
}
