import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waiting for conditions instead of for time. `eventually` is for what must happen, `settled` for
 * what must not happen any more. They poll, because the Worker is seen from outside and offers
 * nothing to subscribe to.
 */
export interface WaitOptions {
  /** Default 10,000. */
  readonly timeoutMs?: number;
  /**
   * Time begins anew whenever this changes: for what may take long on a busy machine, as long as it
   * does not stand still.
   */
  readonly sign?: () => string | number;
  /** Pause between two looks. Default 10. */
  readonly everyMs?: number;
  /** What is waited for, for the error message. */
  readonly what?: string;
}

type Truthy<T> = Exclude<T, false | 0 | "" | null | undefined>;

/**
 * Calls `probe` until it returns something truthy (a count of 0 means "not yet") and returns that. A
 * probe may throw, as an expectation that does not hold yet does; the last error is the cause of
 * the error this rejects with when time is up.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Truthy<T>> {
  const { timeoutMs = 10_000, everyMs = 10, what = "the condition", sign } = options;
  let deadline = performance.now() + timeoutMs;
  let seen = sign?.();
  let cause: unknown;
  while (performance.now() < deadline) {
    try {
      const value = await probe();
      if (value) return value as Truthy<T>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await sleep(everyMs);
    const now = sign?.();
    if (now !== seen) deadline = performance.now() + timeoutMs;
    seen = now;
  }
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  throw new Error(`${what} did not hold within ${timeoutMs} ms${reason}`, { cause });
}

/**
 * Waits until the value of `read` has stayed the same for `quietMs` and returns it. For counts of
 * what must not grow any more, such as sent messages.
 */
export async function settled<T extends string | number | boolean>(
  read: () => T | Promise<T>,
  quietMs = 300,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let value = await read();
  let since = performance.now();
  while (performance.now() - since < quietMs) {
    if (performance.now() > deadline) throw new Error(`still changing after ${timeoutMs} ms`);
    await sleep(10);
    const next = await read();
    if (next !== value) since = performance.now();
    value = next;
  }
  return value;
}

/** A folder of its own under the system's temporary folder, and how to be rid of it. */
export function temporaryDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "pagurus-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}
