import type { InboxItem } from "#contract/inbox.ts";
import type { AskRequest } from "#contract/tool.ts";
import type { JournalRow, Turn } from "#contract/turn.ts";
import { prepare } from "#core/delivery/outbox.ts";
import { planQueue, type QueueBatch } from "#core/queue/plan.ts";
import { commit } from "#core/session/fence.ts";
import type { SessionPorts } from "#core/session/ports.ts";
import type { Run } from "./run.ts";
import { WAITING_ROWS } from "./steer.ts";

/**
 * A turn that waits for a person: a row, no timer but its expiry, no lane. The next message of the
 * same person in the same place is the answer; it becomes the result of the call that asked.
 */
export function parkTurn(run: Run, row: JournalRow, ask: AskRequest): void {
  const { ports, runner } = run;
  commit(ports, runner, run.turn.id, (turn) => {
    const expiresAt = ports.now() + ask.waitMs;
    prepare(ports, {
      key: `${turn.id}:ask:${row.step}.${row.position}`,
      turnId: turn.id,
      message: {
        kind: "interim",
        text: ask.question,
        buttons: ask.options.map((option) => [{ label: option, data: option.slice(0, 60) }]),
      },
      route: turn.detail.route,
    });
    const parked = { position: row.position, question: ask.question, expiresAt };
    ports.store.turns.update(turn.id, {
      status: "parked",
      resumes: 0,
      detail: { ...turn.detail, parked },
    });
  });
  const usage = run.turn.detail.usage ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  ports.live.emit(run.turn.id, {
    type: "ended",
    turnId: run.turn.id,
    status: "parked",
    text: ask.question,
    usage,
    reason: "question",
  });
}

/** Lets a parked turn go on if it was answered or its time is over. Null: it still waits. */
export function resumeParked(ports: SessionPorts): Turn | null {
  const turn = ports.store.turns.parked();
  if (!turn) return null;
  const answer = answerTo(ports, turn);
  const expired = (turn.detail.parked?.expiresAt ?? 0) <= ports.now();
  if (!answer && !expired) return null;
  return ports.store.transaction(() => {
    const { parked, ...detail } = turn.detail;
    const text = answer ? answerText(answer.rows) : "No answer came in time. Go on without it.";
    const output = { text, isError: !answer };
    ports.store.journal.finish(turn.id, turn.step, parked?.position ?? 1, output);
    if (answer) {
      ports.store.inbox.mark(answer.seqs, "done", turn.id);
      ports.live.bind(answer.seqs, turn.id);
    }
    ports.store.turns.update(turn.id, { status: "running", nextAt: 0, detail });
    return ports.store.turns.get(turn.id);
  });
}

/** When to look again at a parked turn; null = none waits. */
export function parkedUntil(ports: SessionPorts): number | null {
  const turn = ports.store.turns.parked();
  if (!turn) return null;
  return answerTo(ports, turn) ? ports.now() : (turn.detail.parked?.expiresAt ?? ports.now());
}

function answerTo(ports: SessionPorts, turn: Turn): QueueBatch<InboxItem> | null {
  const rows = ports.store.inbox
    .list("waiting", "message", WAITING_ROWS)
    .filter(({ message }) => message.sender.isOwner === turn.detail.sender.isOwner);
  const running = { route: turn.detail.route };
  const { cap } = ports.config.queue;
  return planQueue({ rows, running, mode: "steer", cap, now: ports.now() }).steer;
}

function answerText(items: readonly InboxItem[]): string {
  const said = items.map(({ message }) => message.text || message.action || "");
  const files = items.flatMap(({ message }) => message.attachments).length;
  const note = files > 0 ? `\n[${files} files came along and were not read]` : "";
  return `The person answered: ${said.join("\n")}${note}`;
}
