import { z } from "zod";
import type { OutboundPart } from "#contract/channel.ts";
import {
  deliveryKinds,
  outboundButtonSchema,
  outboundMediaSchema,
  type OutboundMessage,
} from "#contract/message.ts";
import type { OutboxRow } from "#contract/outbox.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { partKey } from "./part-key.ts";

/**
 * Words for a channel that is not set up at the moment (its token is gone, it is switched off): they are
 * stored as they are, and become parts once there is a channel to render them. What was said later is
 * stored behind them, so the order holds.
 */
const unrenderedSchema = z.object({
  unrendered: z.object({
    kind: z.enum(deliveryKinds),
    text: z.string(),
    media: z.array(outboundMediaSchema).exactOptional(),
    buttons: z.array(z.array(outboundButtonSchema)).exactOptional(),
  }),
});

export function unrenderedPart(message: OutboundMessage): OutboundPart {
  return { payload: unrenderedSchema.parse({ unrendered: message }), text: message.text };
}

/** Renders what waited for a channel that is there again. Safe to repeat. */
export function renderWaiting(ports: SessionPorts): void {
  for (const row of ports.store.outbox.open()) {
    if (row.status === "prepared" && "unrendered" in row.part.payload) renderOne(ports, row);
  }
}

function renderOne(ports: SessionPorts, row: OutboxRow): void {
  const { outbox } = ports.store;
  const channel = ports.channel(row.route);
  const stored = unrenderedSchema.safeParse(row.part.payload);
  if (!channel || !stored.success) return;
  ports.store.transaction(() => {
    if (!outbox.claim(row.seq, ports.bootId, ports.now())) return;
    const stem = partKey(row).replace(/:\d+$/, "");
    channel.render(stored.data.unrendered, row.route).forEach((part, index) => {
      const { turnId, kind, route, messageId } = row;
      // A later try of the same part, so that only it counts.
      const key = `${stem}:${index}:again:rendered.${row.seq}`;
      const edit =
        index === 0 && row.mode === "edit" && messageId !== null && channel.edit !== undefined;
      const how = edit ? { mode: "edit" as const, messageId } : { mode: "send" as const };
      outbox.insert({ key, turnId, kind, route, part, ...how });
    });
    const error = `${row.route.channel} was not set up`;
    outbox.settle(row.seq, ports.bootId, { status: "failed", error });
  });
}
