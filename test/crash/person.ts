import { setTimeout as sleep } from "node:timers/promises";
import type { Track } from "./boundary.ts";
import type { Stage } from "./stage.ts";

/**
 * A person (or a program) in one conversation with the assistant. Speaks as the platform does: what was
 * not acknowledged is delivered again until it is, with the same ids. Sees what people see.
 */
export interface Person {
  /** Where this conversation's requests are counted. */
  readonly track: Track;
  /** Delivers a message; resolves when the platform has its 200 (the API: when the request is out). */
  say(text: string): Promise<void>;
  /** Texts that are readable now, oldest first; unfinished previews included. */
  visible(): string[];
  /** Delivers everything said so far once more, as platforms do that missed an answer. */
  repeatAll(): Promise<void>;
  /** Is an answer still being waited for? Only programs wait. */
  waiting(): boolean;
}

export const personKinds = [
  "telegram-direct",
  "telegram-group",
  "slack-direct",
  "slack-thread",
  /** Repeats a broken request with a retry count. */
  "api",
  /** Repeats it under the same idempotency key. */
  "api-key",
] as const;
export type PersonKind = (typeof personKinds)[number];

const RETRY_MS = 30;
/** So long after a request has left, the Worker is about to store what it brings. */
export const UNDER_WAY_MS = 2;
const GIVE_UP_MS = 90_000;

/** Delivers as platforms do: until it was taken, however often the Worker goes away meanwhile. */
export async function untilTaken(
  stage: Stage,
  track: Track,
  post: () => Promise<Response>,
): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  const passes = await track.delivery();
  for (;;) {
    await stage.up();
    const answer = statusOf(post);
    await sleep(UNDER_WAY_MS);
    passes("received");
    const status = await answer;
    if (status === 200) {
      passes("replied");
      return;
    }
    if (status !== null && status < 500) throw new Error(`the webhook answered ${status}`);
    if (performance.now() > deadline) throw new Error(`not taken within ${GIVE_UP_MS} ms`);
    await sleep(RETRY_MS);
  }
}

async function statusOf(post: () => Promise<Response>): Promise<number | null> {
  try {
    const response = await post();
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null; // The Worker went away; the platform tries again.
  }
}
