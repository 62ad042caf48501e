import type { ForgetSaid, ForgottenSaid } from "#contract/upkeep.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { createForgetter } from "#kit/text/forget-text.ts";
import { forgetInValue } from "#kit/text/forget-value.ts";

/**
 * Takes facts out of what is stored of a conversation: what people and the assistant said, calls and
 * results, messages that wait or were overheard, and answers. Only while nothing runs here, since a turn works
 * with what it has read; whoever asked comes again.
 */
export function forgetSaid(ports: SessionPorts, { id, facts, after }: ForgetSaid): ForgottenSaid {
  const { turns, texts, settings } = ports.store;
  const { keepingMemory, puttingAway, archiving, sending } = ports.live;
  // What is on its way to memory, archive or chat has been read already, and would put it back.
  const isUnderWay = keepingMemory || puttingAway || archiving > 0 || sending.size > 0;
  const isBusy = turns.running() !== null || turns.parked().length > 0 || isUnderWay;
  if (isBusy) return { changed: 0, next: after, busy: true };
  ports.live.lookedUp = null;
  const { forget } = createForgetter(facts);
  return ports.store.transaction(() => {
    const done = texts.rewrite(after, (value) => forgetInValue(value, forget));
    // Whoever asks again did not hear how many they were.
    const last = getSetting(settings, "forgotSaid");
    const before = last?.id === id && last.after === after ? last.changed : 0;
    const changed = before + done.changed;
    setSetting(settings, "forgotSaid", { id, after, changed });
    return { ...done, changed };
  });
}
