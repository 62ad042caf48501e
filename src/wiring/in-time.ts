/**
 * Rejects if `work` has not ended after `ms`; `who` is the one that did not answer. The work itself is
 * not stopped: a call to another object cannot be taken back, only no longer waited for.
 */
export async function inTime<T>(work: Promise<T>, ms: number, who: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`${who} did not answer within ${ms / 1000} s`));
  }, ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
