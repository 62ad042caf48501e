import type { InboxItem } from "#contract/inbox.ts";
import type { AskRequest } from "#contract/tool.ts";
import type { JournalRow, ToolOutput, Turn, TurnDetail } from "#contract/turn.ts";
import { egress } from "#kit/egress.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import { prepare } from "#core/delivery/outbox.ts";
import { planQueue, type QueueBatch } from "#core/queue/plan.ts";
import { commit } from "#core/state/fence.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { endedEvent } from "./ended.ts";
import { ownWords } from "./ingest.ts";
import { quotedWords, quoteTrust, wordTrust } from "./quote.ts";
import type { Run } from "./run.ts";
import { WAITING_ROWS } from "./steer.ts";
import { windowIsTainted } from "./taint.ts";

/**
 * A turn that waits for a person: a row, no timer but its expiry, no lane. The next message of the
 * same person in the same place is the answer; it becomes the result of the call that asked.
 */
export function parkTurn(run: Run, row: JournalRow, ask: AskRequest): void {
  const { ports, runner } = run;
  const waiting = commit(ports, runner, run.turn.id, (turn) => {
    const since = ports.now();
    const expiresAt = since + ask.waitMs;
    prepare(ports, {
      key: `${turn.id}:ask:${row.step}.${row.position}`,
      turnId: turn.id,
      message: {
        kind: "interim",
        text: egress(ask.question, "chat").text || UNSAID,
        buttons: ask.options.map((option) => [{ label: option, data: shortData(option) }]),
      },
      route: turn.detail.route,
    });
    const again = ask.again ? { again: true as const } : {};
    const parked = { position: row.position, question: ask.question, since, expiresAt, ...again };
    const detail = { ...turn.detail, parked };
    ports.store.turns.update(turn.id, { status: "parked", resumes: 0, detail });
    return { ...turn, detail };
  });
  ports.live.emit(waiting.id, endedEvent(waiting));
}

/** What leaves is never empty, whatever the model asked. */
const UNSAID = "I have a question, but could not put it into words. What should I do?";

/** Lets one parked turn go on that was answered or whose time is over. Null: all still wait. */
export function resumeParked(ports: SessionPorts): Turn | null {
  for (const turn of ports.store.turns.parked()) {
    const answer = answerTo(ports, turn);
    const expired = (turn.detail.parked?.expiresAt ?? 0) <= ports.now();
    if (answer || expired) return resume(ports, turn, answer);
  }
  return null;
}

function resume(
  ports: SessionPorts,
  turn: Turn,
  answer: QueueBatch<InboxItem> | null,
): Turn | null {
  return ports.store.transaction(() => {
    const { parked, parkedMs = 0, ...detail } = turn.detail;
    const position = parked?.position ?? 1;
    const output = answer
      ? answerOutput(ports, turn, answer)
      : { text: "No answer came in time. Go on without it.", isError: true };
    const isAgain = answer !== null && parked?.again === true;
    if (!isAgain) ports.store.journal.finish(turn.id, turn.step, position, output);
    const answered = isAgain ? { answered: answerOf(ports, turn, position, answer) } : {};
    if (answer) {
      ports.store.inbox.mark(answer.seqs, "done", turn.id);
      ports.live.bind(answer.seqs, turn.id);
    }
    const waited = ports.now() - (parked?.since ?? ports.now());
    ports.store.turns.update(turn.id, {
      status: "running",
      nextAt: 0,
      detail: { ...detail, ...answered, parkedMs: parkedMs + waited },
    });
    return ports.store.turns.get(turn.id);
  });
}

/** For the call that asked: its row is open still, so the turn makes it again. */
function answerOf(
  ports: SessionPorts,
  turn: Turn,
  position: number,
  answer: QueueBatch<InboxItem>,
): NonNullable<TurnDetail["answered"]> {
  const { rows } = answer;
  const text = rows.map(({ message }) => ownWords(message)).join("\n");
  const own = !isForeign(ports, turn, answer);
  return { step: turn.step, position, text: truncateText(text, ANSWER_CHARACTERS), own };
}

/** When to look again at parked turns; null = none waits. */
export function parkedUntil(ports: SessionPorts): number | null {
  const times = ports.store.turns
    .parked()
    .map((turn) =>
      answerTo(ports, turn) ? ports.now() : (turn.detail.parked?.expiresAt ?? ports.now()),
    );
  return times.length === 0 ? null : Math.min(...times);
}

/** Messages of the person who was asked, in the place where it was asked. */
function answerTo(ports: SessionPorts, turn: Turn): QueueBatch<InboxItem> | null {
  const rows = ports.store.inbox
    .list("waiting", "message", WAITING_ROWS)
    .filter(({ message }) => message.sender.id === turn.detail.sender.id)
    .filter(({ extra }) => extra.history === undefined)
    // Instructions of an API caller come with every request: they make it no conversation of its own.
    .map((item) => ({ ...item, extra: {} }));
  const running = { route: turn.detail.route };
  const { cap } = ports.config.queue;
  return planQueue({ rows, running, mode: "steer", cap, now: ports.now() }).steer;
}

/** A row must hold it, whatever was written while the question was open. */
const ANSWER_CHARACTERS = 200_000;

function answerOutput(ports: SessionPorts, turn: Turn, answer: QueueBatch<InboxItem>): ToolOutput {
  const { rows, overflow } = answer;
  const said = rows.flatMap(({ message }) => [
    quotedWords(message),
    ownWords(message),
    message.shared ?? "",
  ]);
  const files = rows.flatMap(({ message }) => message.attachments).length;
  const lines = [
    ...(overflow === null ? [] : [overflow]),
    `The person answered: ${said.filter((words) => words !== "").join("\n")}`,
    ...(files > 0 ? [`[${files} files came along and were not read]`] : []),
  ];
  // Who presses a button chooses among words of the turn, which are no better for it.
  const pressed = rows.some(({ message }) => message.action !== undefined);
  const untrusted = isForeign(ports, turn, answer) || (pressed && windowIsTainted(ports, turn));
  const text = truncateText(lines.join("\n"), ANSWER_CHARACTERS);
  return { text, isError: false, ...(untrusted ? { untrusted } : {}) };
}

/** Does somebody else's word come with it? A press is the person's own, whoever worded the button. */
function isForeign(
  ports: SessionPorts,
  turn: Turn,
  { rows, overflow }: QueueBatch<InboxItem>,
): boolean {
  const foreign = rows.some(
    ({ message }) =>
      wordTrust(ports, turn, { ...message, action: undefined }) !== "owner" ||
      message.shared !== undefined ||
      (quotedWords(message) !== "" && quoteTrust(ports, turn, message) === "untrusted"),
  );
  return foreign || overflow !== null;
}

/** A button's payload: at most 60 bytes, whole characters. */
function shortData(option: string): string {
  const encoder = new TextEncoder();
  // What looks like a button of ours (core/session/press.ts) is none.
  let data = option.replace(/^cmd:/i, "cmd ");
  while (encoder.encode(data).byteLength > 60) data = truncateText(data, data.length - 1);
  return data;
}
