import type { OutboundPart } from "#contract/channel.ts";
import type { Turn } from "#contract/turn.ts";
import { commit, type Runner } from "#core/state/fence.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { settlePreview } from "./orphan-preview.ts";
import { withSendContext } from "./send-context.ts";

/**
 * The first post of a message that shows an unfinished answer. It is a send like any other, so it has an
 * outbox row; but it is claimed and settled here, by the step that writes the answer, since drain.ts
 * must not send it once the step is over.
 */
export async function postPreview(
  ports: SessionPorts,
  runner: Runner,
  turn: Turn,
  part: OutboundPart,
): Promise<void> {
  const { outbox } = ports.store;
  const { route } = turn.detail;
  const channel = ports.channel(route);
  if (!channel) return;
  const key = `${turn.id}:preview`;
  const row = commit(ports, runner, turn.id, () => {
    outbox.insert({ key, turnId: turn.id, kind: "preview", mode: "send", route, part });
    const open = outbox.open().find((each) => each.key === key && each.status === "prepared");
    if (!open || !outbox.claim(open.seq, ports.bootId, ports.now())) return null;
    ports.live.sending.add(open.seq);
    return open;
  });
  if (!row) return;
  try {
    const result = await withSendContext(ports, row, (context) =>
      channel.send(part, route, context),
    );
    ports.store.transaction(() => {
      const sent = result.status === "sent";
      outbox.settle(row.seq, ports.bootId, {
        status: sent ? "sent" : result.status === "unknown" ? "unknown" : "failed",
        ...(sent ? { messageId: result.messageId } : {}),
      });
      settlePreview(ports, row, result);
    });
  } finally {
    ports.live.sending.delete(row.seq);
  }
}
