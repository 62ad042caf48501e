import type { InboxItem } from "#contract/inbox.ts";
import type { Turn, TurnDetail, TurnPhase } from "#contract/turn.ts";
import { estimateMessageTokens } from "#kit/tokens.ts";
import { onlyOwnersRead } from "#core/agent/readers.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { currentSessionId, resetSession } from "#core/state/reset.ts";
import type { QueueBatch } from "#core/queue/plan.ts";
import { expiryReason, resetPolicyFor } from "#core/state/reset-policy.ts";
import { modelSetting, type ModelSetting } from "#core/state/model-setting.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { abortTurn } from "./abort.ts";
import { endTurn } from "./finish.ts";
import { appendEntry, appendMessages, appendOverflow, needsFetching } from "./ingest.ts";
import { instructionsOf } from "./instructions.ts";
import { overheard } from "./overheard.ts";

/**
 * Waiting messages → a turn. One transaction takes the messages out of the inbox, resets the session
 * if its time is over, and writes the turn's row; from then on the turn survives anything.
 */
export function startTurn(ports: SessionPorts, batch: QueueBatch<InboxItem>): Turn | null {
  const { rows: items, seqs, keptSeqs, overflow } = batch;
  const first = items[0];
  if (!first) return null;
  return ports.store.transaction(() => {
    const sessionId = sessionFor(ports, first);
    const setting = modelSetting(ports, items.at(-1)?.extra.model);
    const turn = newTurn(ports, sessionId, items, setting);
    ports.store.turns.insert(turn);
    setSetting(ports.store.settings, "lastRoute", turn.detail.route);
    overheard(ports, turn);
    appendOverflow(ports, turn, overflow);
    ports.store.inbox.mark(seqs, "done", turn.id);
    if (turn.phase === "ingest") {
      ports.store.inbox.mark(keptSeqs, "taken", turn.id);
    } else {
      appendMessages(
        ports,
        turn,
        items.map((item) => ({ item, attachments: [] })),
      );
    }
    ports.live.bind(seqs, turn.id);
    return unlessRefused(ports, turn, setting);
  });
}

/** The row of a turn over these messages, which are `taken` with it; inside a transaction. */
export function takeUp(ports: SessionPorts, items: readonly InboxItem[], phase: TurnPhase): Turn {
  const sessionId = currentSessionId(ports);
  const setting = modelSetting(ports, items.at(-1)?.extra.model);
  const turn = { ...newTurn(ports, sessionId, items, setting), phase };
  ports.store.turns.insert(turn);
  const seqs = items.map((item) => item.seq);
  ports.store.inbox.mark(seqs, "taken", turn.id);
  ports.live.bind(seqs, turn.id);
  return turn;
}

/**
 * A turn that asks again after one that failed or was stopped. Its messages are in the transcript
 * already; if their files had not been read, they are taken up once more.
 */
export function retryTurn(ports: SessionPorts, failed: Turn): Turn {
  const {
    outcome: _outcome,
    usage: _usage,
    unreported: _unreported,
    preview: _preview,
    repaired: _repaired,
    parkedMs: _parkedMs,
    retries = [],
    late,
    ...detail
  } = failed.detail;
  const phase = failed.phase === "ingest" || late ? "ingest" : "model";
  const setting = modelSetting(ports);
  const turn: Turn = {
    ...blankTurn(ports, failed.sessionId),
    trigger: failed.trigger,
    phase,
    detail: { ...detail, ...chosen(setting), retries: [...retries, failed.id] },
  };
  ports.store.turns.insert(turn);
  if (phase === "ingest") {
    // Not the command that asked for an earlier try.
    const asked = ports.store.inbox.ofTurn(failed.id).filter(({ kind }) => kind === "message");
    const seqs = late ?? asked.map((item) => item.seq);
    ports.store.inbox.mark(seqs, "taken", turn.id);
  }
  return unlessRefused(ports, turn, setting) ?? turn;
}

function sessionFor(ports: SessionPorts, first: InboxItem): string {
  const { history } = first.extra;
  if (history !== undefined) {
    const sessionId = resetSession(ports);
    for (const message of history) seed(ports, sessionId, message);
    return sessionId;
  }
  const { settings } = ports.store;
  const startedAt = getSetting(settings, "sessionStartedAt");
  const policy = resetPolicyFor(ports.config.session, first.message.route.kind);
  const expired =
    startedAt !== undefined &&
    expiryReason(policy, {
      startedAt,
      lastUserMessageAt: getSetting(settings, "lastUserMessageAt") ?? null,
      now: first.receivedAt,
      timeZone: ports.timeZone,
    });
  if (!expired) return currentSessionId(ports);
  // A question of the ended conversation is not asked any more.
  for (const turn of ports.store.turns.parked()) {
    abortTurn(ports, turn, { reason: "new_conversation", unread: "keep" });
  }
  return resetSession(ports);
}

type SeedMessage = NonNullable<InboxItem["extra"]["history"]>[number];

/** History that an API caller brought along. */
function seed(ports: SessionPorts, sessionId: string, message: SeedMessage): void {
  const common = {
    sessionId,
    turnId: null,
    at: ports.now(),
    tokens: estimateMessageTokens(message),
  };
  switch (message.role) {
    case "user":
      appendEntry(ports, {
        ...common,
        role: "user",
        trust: "owner",
        content: message.content,
        author: { name: "API", isOwner: true, showName: false },
      });
      return;
    case "assistant":
      appendEntry(ports, {
        ...common,
        role: "assistant",
        trust: "agent",
        content: message.content,
        status: "complete",
      });
      return;
    case "tool":
      appendEntry(ports, { ...common, role: "tool", trust: "untrusted", results: message.results });
  }
}

function newTurn(
  ports: SessionPorts,
  sessionId: string,
  items: readonly InboxItem[],
  setting: ModelSetting,
): Turn {
  const last = items.at(-1) as InboxItem;
  const { message } = last;
  const owners = items.every((item) => item.message.sender.isOwner);
  const instructions = instructionsOf(items);
  const detail: TurnDetail = {
    route: message.route,
    sender: { ...message.sender, isOwner: owners },
    interactiveOwner: onlyOwnersRead({ sender: { isOwner: owners }, route: message.route }),
    ...chosen(setting),
    ...(message.title === undefined ? {} : { title: message.title }),
    ...(instructions === undefined ? {} : { instructions }),
  };
  const phase = needsFetching(items) ? "ingest" : "model";
  return { ...blankTurn(ports, sessionId), phase, detail };
}

function blankTurn(ports: SessionPorts, sessionId: string): Omit<Turn, "detail"> {
  return {
    id: ports.newId(),
    sessionId,
    status: "running",
    trigger: "user",
    phase: "model",
    step: 1,
    attempts: 0,
    resumes: 0,
    nextAt: 0,
    startedAt: ports.now(),
    endedAt: null,
  };
}

/** Without a model there is nothing to run: the person is told at once, and nothing else happens. */
function unlessRefused(ports: SessionPorts, turn: Turn, { model }: ModelSetting): Turn | null {
  if (model.ok) return turn;
  endTurn(ports, turn, { status: "failed", text: model.error, reason: "not_configured" });
  return null;
}

function chosen({ model, thinking }: ModelSetting): Pick<TurnDetail, "model" | "thinking"> {
  return { model: model.ok ? model.value.name : "none", thinking };
}
