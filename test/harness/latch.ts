/**
 * A door that a test opens: what waits behind it goes on only then, however long that takes. `reached`
 * resolves when somebody stands before it.
 */
export interface Latch {
  /** Resolves once the door is open. Tells that somebody has come. */
  pass(): Promise<void>;
  open(): void;
  /** Resolves when somebody waits here, or has waited. */
  readonly reached: Promise<void>;
}

export function createLatch(): Latch {
  const opened = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  return {
    pass() {
      reached.resolve();
      return opened.promise;
    },
    open: () => opened.resolve(),
    reached: reached.promise,
  };
}
