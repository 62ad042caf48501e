/** Time for code that may not touch the platform. */
export const timers = {
  after(ms: number, work: () => void): () => void {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return scheduler.wait(ms, signal ? { signal } : {});
  },
};
