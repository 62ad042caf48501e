import type { OutcomeReason } from "#contract/outcome.ts";
import type { Turn, TurnEnd } from "#contract/turn.ts";
import { noUsage } from "#kit/model/ending.ts";

/** The last event for whoever watches something that had no turn: a command, a message set aside. */
export function endedWithoutTurn(
  status: TurnEnd["status"],
  text: string,
  reason: OutcomeReason,
): TurnEnd {
  return { type: "ended", turnId: "", status, text, usage: noUsage, reason };
}

/** The last event for those who watch a turn: how it ended, or what it waits for. */
export function endedEvent({ id, status, detail }: Turn): TurnEnd {
  const { outcome, parked, usage = noUsage } = detail;
  const end = parked
    ? endedWithoutTurn("parked", parked.question, "question")
    : endedWithoutTurn(status, outcome?.text ?? "", outcome?.reason ?? "end");
  return { ...end, turnId: id, usage };
}
