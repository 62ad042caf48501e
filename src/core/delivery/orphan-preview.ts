import type { SendResult } from "#contract/channel.ts";
import type { OutboxRow } from "#contract/outbox.ts";
import type { SessionPorts } from "#core/state/ports.ts";

/**
 * A preview whose first post was cut off by a restart. If the platform can say that it arrived, the
 * turn goes on editing it, or takes it away if the answer has been sent beside it meanwhile. If not,
 * this turn shows no more previews. Inside the transaction that settles the row.
 */
export function settlePreview(ports: SessionPorts, row: OutboxRow, result: SendResult): void {
  if (row.kind !== "preview" || row.mode !== "send" || row.turnId === null) return;
  const turn = ports.store.turns.get(row.turnId);
  if (!turn) return;
  const open = turn.status === "running" || turn.status === "parked";
  if (open) {
    const preview =
      result.status === "sent"
        ? { messageId: result.messageId, state: "live" as const }
        : { state: "lost" as const };
    ports.store.turns.update(turn.id, { detail: { ...turn.detail, preview } });
  } else if (result.status === "sent") {
    takeAway(ports, row, result.messageId);
  }
}

/** Queues the removal of a preview that nothing will replace. */
export function takeAway(
  ports: SessionPorts,
  row: Pick<OutboxRow, "turnId" | "route">,
  messageId: string,
): void {
  ports.store.outbox.insert({
    key: `${row.turnId}:preview:remove`,
    turnId: row.turnId,
    kind: "preview",
    mode: "remove",
    route: row.route,
    part: { payload: {}, text: "" },
    messageId,
  });
}
