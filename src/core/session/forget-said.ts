import type { ForgetSaid, ForgottenSaid } from "#contract/upkeep.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { createForgetter } from "#kit/text/forget-text.ts";
import { forgetInValue } from "#kit/text/forget-value.ts";

/**
 * Takes facts out of what is stored of a conversation: what people and the assistant said, calls and
 * results, messages that wait or were overheard, and answers. Only while nothing runs here, since a turn works
 * with what it has read; whoever asked comes again.
 */
export function forgetSaid(ports: SessionPorts, { facts, after }: ForgetSaid): ForgottenSaid {
  const { turns, texts } = ports.store;
  const { keepingMemory, puttingAway, archiving, sending } = ports.live;
  // What is on its way to memory, archive or chat has been read already, and would put it back.
  const isUnderWay = keepingMemory || puttingAway || archiving > 0 || sending.size > 0;
  const isBusy = turns.running() !== null || turns.parked().length > 0 || isUnderWay;
  if (isBusy) return { changed: 0, next: after, busy: true };
  ports.live.lookedUp = null;
  const { forget } = createForgetter(facts);
  return texts.rewrite(after, (value) => forgetInValue(value, forget));
}
