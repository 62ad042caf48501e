import { z } from "zod";
import type { Channel, OutboundPart } from "#contract/channel.ts";
import {
  deliveryKinds,
  outboundButtonSchema,
  outboundMediaSchema,
  type OutboundMessage,
} from "#contract/message.ts";
import type { OutboxRow } from "#contract/outbox.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { describeError } from "#kit/redact.ts";

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

/** Renders what waited for a channel that is there again. Safe to repeat. Returns what cannot be. */
export function renderWaiting(ports: SessionPorts): OutboxRow[] {
  return ports.store.outbox.open().filter((row) => {
    const channel = ports.channel(row.route);
    const waits = row.status === "prepared" && "unrendered" in row.part.payload;
    return channel !== undefined && waits && !render(ports, channel, row);
  });
}

/** False: one message that cannot be rendered must not hold up the others. */
function render(ports: SessionPorts, channel: Channel, row: OutboxRow): boolean {
  try {
    ports.store.transaction(() => replaceByParts(ports, channel, row));
    return true;
  } catch (error) {
    ports.log.error("outbox.not_rendered", { key: row.key, error: describeError(error) });
    return false;
  }
}

function replaceByParts(ports: SessionPorts, channel: Channel, row: OutboxRow): void {
  const { outbox } = ports.store;
  const { turnId, kind, route, mode, messageId } = row;
  const { unrendered } = unrenderedSchema.parse(row.part.payload);
  const parts = channel.render(unrendered, route);
  if (!outbox.remove(row.seq)) return;
  parts.forEach((part, index) => {
    const edit = index === 0 && mode === "edit" && messageId !== null && channel.edit !== undefined;
    const how = edit ? { mode: "edit" as const, messageId } : { mode: "send" as const };
    outbox.insert({ key: keyOfPart(row.key, index), turnId, kind, route, part, ...how });
  });
}

/** The row has the key of its first part, of whichever try. */
function keyOfPart(key: string, index: number): string {
  return key.replace(/:0(?=$|:again:)/, `:${index}`);
}
