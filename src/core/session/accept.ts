import { channelConfig } from "#contract/config.ts";
import type { AcceptEnvelope, AcceptResult, InboxKind } from "#contract/inbox.ts";
import type { ReplyRoute } from "#contract/message.ts";
import { drain } from "#core/delivery/drain.ts";
import { moveRoutes } from "#core/delivery/moved.ts";
import { holdUntil } from "#core/queue/hold.ts";
import { sameRoute } from "#core/queue/row.ts";
import { abortTurn } from "#core/turn/abort.ts";
import { OVERHEARD_LIMIT } from "#core/turn/overheard.ts";
import { announceEnd } from "#core/turn/finish.ts";
import { runCommands } from "./command-run.ts";
import { commandIn } from "./press.ts";
import { isCommandFor } from "#core/routing/command.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { addressOf } from "#core/state/address.ts";
import { queueMode } from "#core/state/queue-mode.ts";
import { joinStopped } from "./late-part.ts";
import { dedupeKeys, repeatOf } from "./repeat.ts";
import { forgetMessages } from "./retention.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { describeError } from "#kit/redact.ts";

/**
 * Takes a message over: one transaction stores it under both of its dedupe keys and sets the alarm.
 * When this resolves, the message is safe, and only then may the platform be told so.
 */
export async function accept(ports: SessionPorts, envelope: AcceptEnvelope): Promise<AcceptResult> {
  await markBusy(ports, envelope.message.route);
  const taken = ports.store.transaction(() => take(ports, envelope));
  if (taken.interrupted) {
    ports.live.abort(taken.interrupted);
    announceEnd(ports, taken.interrupted);
  }
  ports.background(afterAccept(ports));
  return taken.result;
}

interface Taken {
  readonly result: AcceptResult;
  readonly interrupted?: string;
}

function take(ports: SessionPorts, envelope: AcceptEnvelope): Taken {
  const { message } = envelope;
  const repeated = repeatOf(ports, envelope);
  if (repeated !== null) return { result: { status: "duplicate", seq: repeated } };
  if (envelope.formerly !== undefined) {
    const { channel, conversation } = message.route;
    moveRoutes(ports, { channel, conversation: envelope.formerly }, conversation);
  }
  const now = ports.now();
  const kind = kindOf(ports, envelope);
  const { debounceMs } = channelConfig(ports.config, message.channel);
  const seq = ports.store.inbox.insert({
    ...dedupeKeys(message),
    kind,
    status: envelope.buffer ? "buffered" : "waiting",
    message,
    extra: envelope.extra ?? {},
    contentHash: envelope.contentHash ?? null,
    receivedAt: now,
    notBefore: holdUntil({ ...message, receivedAt: now }, kind, debounceMs),
  });
  if (seq === null) throw new Error("a message that is not known could not be stored");
  if (envelope.buffer) {
    ports.store.inbox.trimBuffered(OVERHEARD_LIMIT);
    forgetMessages(ports);
    return { result: { status: "accepted", seq } };
  }
  if (kind === "message" && joinStopped(ports, seq, message)) {
    return { result: { status: "accepted", seq } };
  }
  ports.store.setAlarm(now);
  const interrupted = kind === "message" ? interrupt(ports, envelope) : undefined;
  return { result: { status: "accepted", seq }, ...(interrupted ? { interrupted } : {}) };
}

function kindOf(ports: SessionPorts, { buffer, message }: AcceptEnvelope): InboxKind {
  const command = buffer ? null : commandIn(ports, message);
  return command && isCommandFor(command, message.sender) ? "command" : "message";
}

/**
 * In interrupt mode a new message ends the turn that runs, if it is answered in the same place and
 * its sender has the rights of the one whose turn it is.
 */
function interrupt(ports: SessionPorts, { message, extra }: AcceptEnvelope): string | undefined {
  const { route, sender } = message;
  // A request that brings its own history has nothing to do with what runs.
  if (queueMode(ports) !== "interrupt" || extra?.history !== undefined) return undefined;
  const turn = ports.store.turns.running();
  if (!turn || !sameRoute(turn.detail.route, route)) return undefined;
  if (turn.detail.sender.isOwner && !sender.isOwner) return undefined;
  abortTurn(ports, turn, { reason: "interrupted_by_message", unread: "queue" });
  return turn.id;
}

/**
 * Before the first work after a rest, the agent must know that there is some, or the sweeper could
 * not find a session whose alarm was lost. An agent that cannot be reached stops nobody.
 */
export async function markBusy(ports: SessionPorts, route: ReplyRoute | null): Promise<void> {
  const { settings } = ports.store;
  if (getSetting(settings, "busy")) return;
  const mark = (getSetting(settings, "busyMark") ?? 0) + 1;
  setSetting(settings, "busyMark", mark);
  const address = route ? addressOf(route) : undefined;
  try {
    await ports.agent.markBusy({
      sessionKey: ports.key,
      mark,
      ...(address === undefined ? {} : { address }),
    });
    setSetting(settings, "busy", true);
  } catch (error) {
    ports.log.error("session.not_registered", { session: ports.key, error: describeError(error) });
  }
}

/** What must be quick does not wait for an alarm: commands and their answers. */
async function afterAccept(ports: SessionPorts): Promise<void> {
  try {
    await runCommands(ports);
    await drain(ports);
  } catch (error) {
    ports.log.error("accept.after", { session: ports.key, error: describeError(error) });
  }
}
