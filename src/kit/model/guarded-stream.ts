import type { ModelFault } from "#contract/fault.ts";
import type { ModelEvent } from "#contract/model.ts";
import { untilAborted } from "#kit/until-aborted.ts";

/**
 * The promise of Provider.stream, kept for any source: it never rejects, ends with exactly one `finish`
 * or `error`, and ends soon after the signal aborts even if the source does not listen. The source may
 * throw and may stop early. No timers: time limits come in through the signal.
 */
export interface GuardedSource {
  readonly signal: AbortSignal;
  open(): AsyncIterable<ModelEvent>;
  /** Classifies what the source threw. */
  toFault(error: unknown): ModelFault;
}

export async function* guardedStream(source: GuardedSource): AsyncGenerator<ModelEvent> {
  try {
    yield* untilTerminal(source);
  } catch (error) {
    yield {
      type: "error",
      fault: source.signal.aborted ? abortFault(source.signal) : source.toFault(error),
    };
  }
}

async function* untilTerminal(source: GuardedSource): AsyncGenerator<ModelEvent> {
  const { signal } = source;
  let iterator: AsyncIterator<ModelEvent> | undefined;
  try {
    if (!signal.aborted) iterator = source.open()[Symbol.asyncIterator]();
    while (iterator !== undefined && !signal.aborted) {
      const step = await untilAborted(iterator.next(), signal);
      if (step.done === true) break;
      const isTerminal = step.value.type === "finish" || step.value.type === "error";
      // A client that was told to stop may report it as an odd error or as an early end.
      if (step.value.type === "error" && signal.aborted) break;
      yield step.value;
      if (isTerminal) return;
    }
    yield { type: "error", fault: signal.aborted ? abortFault(signal) : endedEarly };
  } finally {
    // Not awaited: a source that hangs must not hold up the end.
    iterator?.return?.().then(undefined, () => {});
  }
}

const endedEarly: ModelFault = {
  reason: "timeout",
  message: "the answer was cut off",
  connection: true,
};

/** `timeout` when a time limit aborted the call, else `aborted`. */
export function abortFault(signal: AbortSignal): ModelFault {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === "TimeoutError"
    ? { reason: "timeout", message: "no answer within the time limit" }
    : { reason: "aborted", message: "stopped" };
}
