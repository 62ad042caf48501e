import type { SendContext } from "#contract/channel.ts";
import { countEffect } from "#core/state/fence.ts";
import type { SessionPorts } from "#core/state/ports.ts";

/** The outer bound, for large files; channels bound plain texts more tightly. */
const SEND_TIMEOUT_MS = 120_000;

/**
 * One request to a platform under a time limit. The limit's timer ends with the request: one that is
 * left behind would keep an idle object in memory for as long as it runs. `send` begins in the same
 * event, so that what was claimed just before still holds.
 */
export async function withSendContext<T>(
  ports: SessionPorts,
  { key }: { readonly key: string },
  send: (context: SendContext) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const cancel = ports.timers.after(SEND_TIMEOUT_MS, () => {
    limit.abort(new DOMException("the platform did not answer in time", "TimeoutError"));
  });
  try {
    return await send({
      deliveryId: key,
      signal: limit.signal,
      claim: () => countEffect(ports),
      readMedia: (mediaKey) => ports.media.get(mediaKey),
    });
  } finally {
    cancel();
  }
}
