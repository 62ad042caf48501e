import type { Turn } from "#contract/turn.ts";

/**
 * Did an owner start this turn by a message of theirs, where only they read? What jobs, heartbeats and
 * hooks begin is none, whoever set them up: nobody has just asked for it.
 */
export function isOwnTurn({ trigger, detail }: Pick<Turn, "trigger" | "detail">): boolean {
  return trigger === "user" && detail.interactiveOwner;
}
