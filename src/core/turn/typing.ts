import type { ReplyRoute } from "#contract/message.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { describeError } from "#kit/redact.ts";

/** An answer that is there within this time needs no "is typing". */
const PATIENCE_MS = 250;

/** Shows "is typing" while a step runs; the returned function ends it. Cosmetic: never fails. */
export function keepTyping(ports: SessionPorts, route: ReplyRoute): () => void {
  const channel = ports.channel(route);
  const refresh = channel?.capabilities.typingRefreshMs;
  if (!channel?.typing || refresh === undefined) return () => {};
  let cancel = () => {};
  let over = false;
  const show = () => {
    if (over) return;
    void channel.typing?.(route).catch((error: unknown) => {
      ports.log.warn("typing.failed", { error: describeError(error) });
    });
    cancel = ports.timers.after(refresh, show);
  };
  cancel = ports.timers.after(PATIENCE_MS, show);
  return () => {
    over = true;
    cancel();
  };
}
