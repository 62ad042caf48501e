import type { Channel, SendContext, SendResult } from "#contract/channel.ts";
import type { ReplyRoute } from "#contract/message.ts";
import type { OutboxRow } from "#contract/outbox.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { backoffMs, jitterOf } from "./backoff.ts";
import { settlePreview } from "./orphan-preview.ts";
import { isLossNotice, noticeOf } from "./notice.ts";
import { learnMove } from "./moved.ts";
import { renderWaiting } from "./unrendered.ts";
import { withSendContext } from "./send-context.ts";
import { describeError } from "#kit/redact.ts";

/**
 * Sends what is prepared. Any number of callers may drain at once (an accepted message, a running
 * step, the alarm): a row is claimed by compare-and-set, so each is sent by one of them. Order holds
 * per conversation; one conversation never waits for another.
 */

/** A platform may take this long to show in its history what it was sent. */
const RECONCILE_DELAY_MS = 1_500;
const MAX_ATTEMPTS = 8;

/** Sends everything that is due. Resolves when nothing more can be done now. */
export async function drain(ports: SessionPorts): Promise<void> {
  for (const row of renderWaiting(ports)) giveUpUnrendered(ports, row);
  for (;;) {
    const due = nextRows(ports);
    if (due.length === 0) break;
    await Promise.all(due.map((row) => deliver(ports, row)));
  }
  comeBack(ports);
}

/** Waits longer than this are left to the alarm alone. */
const SOON_MS = 30_000;

/**
 * A send that has to wait a little (a 429) must not wait for a model call that keeps the alarm busy:
 * a timer looks again. The alarm stays the guarantee; losing the timer loses nothing.
 */
function comeBack(ports: SessionPorts): void {
  const at = Math.min(...heads(ports).map((row) => dueAt(ports, row) ?? Infinity));
  const wait = Math.max(0, at - ports.now());
  if (wait > SOON_MS || ports.live.drainTimer) return;
  ports.live.drainTimer = true;
  const again = async () => {
    await ports.timers.sleep(wait + 1);
    ports.live.drainTimer = false;
    await drain(ports);
  };
  ports.background(again());
}

/** A send that is under way outside the alarm is looked after so often, in case it is cut off. */
const WATCH_MS = 1_000;

/** When the outbox wants to be looked at again; null = it is empty. */
export function nextSendAt(ports: SessionPorts): number | null {
  const times = heads(ports).map((row) => dueAt(ports, row) ?? ports.now() + WATCH_MS);
  return times.length > 0 ? Math.min(...times) : null;
}

/** What waits for its channel is looked at so often, by each sweep too, and given up after so long. */
const CHANNEL_LOOK_MS = 3_600_000;
const CHANNEL_WAIT_MS = 7 * 24 * 3_600_000;

/** When a row can be sent or judged; null = it is under way here. */
function dueAt(ports: SessionPorts, row: OutboxRow): number | null {
  if (waitsForChannel(ports, row)) return ports.now() + CHANNEL_LOOK_MS;
  return row.status === "prepared" ? row.nextAt : orphanDueAt(ports, row);
}

/** Its channel is not set up (any more): it is sent once it is, or a word about it if it was sent before. */
function waitsForChannel(ports: SessionPorts, row: OutboxRow): boolean {
  return !ports.channel(row.route) && ports.now() - row.at < CHANNEL_WAIT_MS;
}

/** The first open row of each conversation. */
function heads(ports: SessionPorts): OutboxRow[] {
  const seen = new Set<string>();
  return ports.store.outbox.open().filter((row) => {
    if (row.kind === "preview") return true;
    const lane = laneOf(row.route);
    if (seen.has(lane)) return false;
    seen.add(lane);
    return true;
  });
}

function laneOf({ channel, account, conversation, thread }: ReplyRoute): string {
  return JSON.stringify([channel, account, conversation, thread ?? ""]);
}

function nextRows(ports: SessionPorts): OutboxRow[] {
  const now = ports.now();
  return heads(ports).filter((row) => (dueAt(ports, row) ?? Infinity) <= now);
}

/**
 * A row in `sending` that nobody is sending: its run of the object has ended. When may it be judged?
 * Null = it is under way here.
 */
function orphanDueAt(ports: SessionPorts, row: OutboxRow): number | null {
  if (row.claim === ports.bootId && ports.live.sending.has(row.seq)) return null;
  const reconciles = ports.channel(row.route)?.reconcile && row.mode === "send";
  return reconciles ? (row.claimedAt ?? 0) + RECONCILE_DELAY_MS : 0;
}

/** Words that waited for their channel, and which it cannot show. */
function giveUpUnrendered(ports: SessionPorts, row: OutboxRow): void {
  const { outbox } = ports.store;
  ports.store.transaction(() => {
    if (!outbox.claim(row.seq, ports.bootId, ports.now())) return;
    const error = "for a reason inside me";
    outbox.settle(row.seq, ports.bootId, { status: "failed", error, attempt: true });
    noticeOf(ports, row);
  });
}

async function deliver(ports: SessionPorts, row: OutboxRow): Promise<void> {
  const { outbox } = ports.store;
  const orphan = row.status === "sending";
  const mine = orphan
    ? outbox.takeOver(row.seq, row.claim ?? "", ports.bootId, ports.now())
    : outbox.claim(row.seq, ports.bootId, ports.now());
  if (!mine) return;
  ports.live.sending.add(row.seq);
  try {
    const result = orphan ? await judgeOrphan(ports, row) : await perform(ports, row);
    settle(ports, row, result);
    const moved = result.status === "sent" ? result.movedTo : undefined;
    if (moved) await learnMove(ports, row.route, moved.conversation);
  } catch (error) {
    ports.log.error("outbox.send_threw", { key: row.key, error: describeError(error) });
    settle(ports, row, { status: "unknown", reason: "internal error while sending" });
  } finally {
    ports.live.sending.delete(row.seq);
  }
}

/** What became of a request that a killed run had made? */
async function judgeOrphan(ports: SessionPorts, row: OutboxRow): Promise<SendResult> {
  if (row.mode !== "send") return { status: "retry", reason: "interrupted", afterMs: 0 };
  const channel = ports.channel(row.route);
  if (!channel?.reconcile) return { status: "unknown", reason: "interrupted while sending" };
  const found = await channel.reconcile(row.key, row.route);
  if (found.status === "delivered") return { status: "sent", messageId: found.messageId };
  if (row.kind === "preview") return { status: "failed", reason: "an old preview" };
  if (found.status === "absent") return { status: "retry", reason: "interrupted", afterMs: 0 };
  return { status: "unknown", reason: "interrupted while sending" };
}

async function perform(ports: SessionPorts, row: OutboxRow): Promise<SendResult> {
  const channel = ports.channel(row.route);
  if (!channel) return { status: "failed", reason: `${row.route.channel} is not set up` };
  return withSendContext(ports, row, (context) =>
    row.mode === "send"
      ? channel.send(row.part, row.route, context)
      : change(channel, row, context),
  );
}

async function change(channel: Channel, row: OutboxRow, context: SendContext): Promise<SendResult> {
  const messageId = row.messageId ?? "";
  if (row.mode === "remove") {
    if (!channel.remove) return { status: "sent", messageId };
    return channel.remove(messageId, row.route, context);
  }
  if (!channel.edit) return channel.send(row.part, row.route, context);
  return channel.edit(messageId, row.part, row.route, context);
}

function settle(ports: SessionPorts, row: OutboxRow, result: SendResult): void {
  const { store } = ports;
  store.transaction(() => {
    const moved = store.outbox.settle(row.seq, ports.bootId, settlement(ports, row, result));
    if (!moved) return;
    settlePreview(ports, row, result);
    noticeOf(ports, row);
  });
  if (result.status !== "sent") {
    const { status, reason } = result;
    ports.log.warn("outbox.not_sent", { key: row.key, status, reason });
  }
}

function settlement(ports: SessionPorts, row: OutboxRow, result: SendResult) {
  switch (result.status) {
    case "sent":
      return { status: "sent", messageId: result.messageId } as const;
    case "failed":
      // A message that cannot be edited any more has not shown the answer: it is sent beside it.
      if (row.mode === "edit" && row.kind === "final") {
        return { status: "prepared", mode: "send", nextAt: 0, error: result.reason } as const;
      }
      return { status: "failed", error: result.reason, attempt: true } as const;
    case "unknown":
      // That something is missing must be known: such a word may be read twice, but not be lost too.
      if (isLossNotice(row) && row.attempts === 0) return tryAgain(ports, row, result.reason);
      return { status: "unknown", error: result.reason, attempt: true } as const;
    case "retry": {
      if (row.attempts + 1 >= MAX_ATTEMPTS) {
        return { status: "failed", error: result.reason, attempt: true } as const;
      }
      return tryAgain(ports, row, result.reason, result.afterMs);
    }
  }
}

function tryAgain(ports: SessionPorts, row: OutboxRow, error: string, afterMs?: number) {
  const wait = afterMs === 0 ? 0 : backoffMs(row.attempts + 1, afterMs, jitterOf(row.key));
  return { status: "prepared", nextAt: ports.now() + wait, error, attempt: true } as const;
}
