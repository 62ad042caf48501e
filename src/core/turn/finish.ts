import type { OutcomeReason } from "#contract/outcome.ts";
import type { Turn, TurnStatus } from "#contract/turn.ts";
import { egress } from "#kit/egress.ts";
import { describeError } from "#kit/redact.ts";
import { takeAway } from "#core/delivery/orphan-preview.ts";
import { noticeAtEnd } from "#core/delivery/notice.ts";
import { prepare } from "#core/delivery/outbox.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { endedEvent } from "./ended.ts";
import { oweMemory } from "./memory-due.ts";
import { closeUnfinished } from "./unfinished.ts";
import { usageFooter } from "#core/state/usage-footer.ts";

/**
 * The end of a turn: what is said, how the row is closed, who is told. Always called inside the
 * transaction that also writes the last entry, so an answer and its delivery are one fact.
 */
export interface Ending {
  readonly status: Extract<TurnStatus, "done" | "failed" | "aborted">;
  /** Markdown for the person; empty = nothing to say. */
  readonly text: string;
  /** For logs, /status and API callers. */
  readonly reason: OutcomeReason;
}

export function endTurn(ports: SessionPorts, turn: Turn, ending: Ending): void {
  const shown = egress(ending.text, "chat");
  const silent = ending.reason === "silent" || (shown.silent && ending.status === "done");
  const text = silent ? "" : shown.text;
  // Everybody who reads the answer reads the footer: people who watch the turn, too.
  const footer = text !== "" && ending.status === "done" ? usageFooter(ports, turn) : "";
  const said = text + footer;
  // Between two model calls nothing is half done.
  if (turn.phase !== "model") attempt(ports, turn, () => closeUnfinished(ports, turn));
  const spoken = attempt(ports, turn, () =>
    speak(ports, turn, ending.status === "aborted" ? "" : said),
  );
  if (!spoken) attempt(ports, turn, () => speak(ports, turn, NOT_SHOWN));
  const { parked: _parked, ...detail } = turn.detail;
  ports.store.turns.update(turn.id, {
    status: ending.status,
    endedAt: ports.now(),
    detail: {
      ...detail,
      outcome: { reason: silent ? "silent" : ending.reason, text: said },
    },
  });
  noticeAtEnd(ports, turn.id);
  attempt(ports, turn, () => oweMemory(ports, turn));
}

const NOT_SHOWN = "My answer could not be shown here, for a reason inside me.";

/**
 * A part of the end that must not keep a turn from ending: a turn that cannot end would hold up its
 * conversation for ever. What fails leaves nothing behind. False: it failed.
 */
function attempt(ports: SessionPorts, turn: Turn, part: () => void): boolean {
  try {
    ports.store.transaction(part);
    return true;
  } catch (error) {
    ports.log.error("turn.end_incomplete", { turn: turn.id, error: describeError(error) });
    return false;
  }
}

/** The answer, in place of the preview if there is one; nothing to say takes the preview away. */
function speak(ports: SessionPorts, turn: Turn, text: string): void {
  const { route, preview } = turn.detail;
  const live = preview?.state === "live" ? preview.messageId : undefined;
  if (text !== "") {
    prepare(ports, {
      key: `${turn.id}:final`,
      turnId: turn.id,
      message: { kind: "final", text },
      route,
      ...(live === undefined ? {} : { replaces: live }),
    });
  } else if (live !== undefined) {
    takeAway(ports, { turnId: turn.id, route }, live);
  }
}

/** Tells watchers and the log; runs after the transaction that ended the turn. */
export function announceEnd(ports: SessionPorts, turnId: string): void {
  const turn = ports.store.turns.get(turnId);
  if (!turn) return;
  const ended = endedEvent(turn);
  ports.live.emit(turnId, ended);
  const took = (turn.endedAt ?? ports.now()) - turn.startedAt;
  ports.log.info("turn.ended", {
    turn: turnId,
    session: ports.key,
    status: turn.status,
    reason: ended.reason,
    steps: turn.step,
    model: turn.detail.model,
    ms: took,
  });
}
