import type { ModelFault } from "#contract/fault.ts";
import type {
  AssistantMessage,
  ModelEvent,
  ModelRequest,
  StopReason,
  Usage,
} from "#contract/model.ts";
import type { FetchedMedia } from "#contract/channel.ts";
import type { Now } from "#contract/ports.ts";
import type { Provider } from "#contract/provider.ts";
import type { Timers } from "#core/state/ports.ts";

/**
 * One model call, consumed: events go to `onEvent` as they come, the result is data. A stream that
 * stays silent for `idleMs` is cut, since a severed connection may never say so.
 */
export interface ModelCall {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly idleMs: number;
  readonly timers: Timers;
  readonly now: Now;
  readonly readMedia: (mediaKey: string) => Promise<FetchedMedia | null>;
  readonly onEvent: (event: ModelEvent) => void;
}

export type ModelOutcome =
  | {
      readonly type: "answer";
      readonly message: AssistantMessage;
      readonly stopReason: StopReason;
      readonly usage: Usage | null;
    }
  | {
      readonly type: "fault";
      readonly fault: ModelFault;
      readonly partialText: string;
      /** As far as it was reported before the call failed. */
      readonly usage: Usage | null;
    };

export async function callModel(call: ModelCall): Promise<ModelOutcome> {
  const idle = watchSilence(call);
  const signal = AbortSignal.any([call.signal, idle.signal]);
  let partialText = "";
  let usage: Usage | null = null;
  try {
    const stream = call.provider.stream(call.request, { signal, readMedia: call.readMedia });
    for await (const event of stream) {
      idle.heard();
      if (event.type === "finish") return { ...event, type: "answer" };
      if (event.type === "error") return { type: "fault", fault: event.fault, partialText, usage };
      if (event.type === "usage") usage = event.usage;
      if (event.type === "text-delta") partialText += event.text;
      call.onEvent(event);
    }
    const message = "the provider's stream ended without a result";
    return { type: "fault", fault: { reason: "unknown", message }, partialText, usage };
  } finally {
    idle.stop();
  }
}

/** Aborts its signal after `idleMs` without a word. One timer at a time, not one for each event. */
function watchSilence({ idleMs, timers, now }: ModelCall) {
  const idle = new AbortController();
  let heardAt = now();
  let cancel = () => {};
  const look = () => {
    const left = heardAt + idleMs - now();
    if (left > 0) cancel = timers.after(left, look);
    else idle.abort(timeoutReason());
  };
  cancel = timers.after(idleMs, look);
  return {
    signal: idle.signal,
    heard: () => {
      heardAt = now();
    },
    stop: () => cancel(),
  };
}

function timeoutReason(): DOMException {
  return new DOMException("no event from the model in time", "TimeoutError");
}
