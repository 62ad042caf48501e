import type { Intent, IntentReceipt, Intents, IntentStore } from "#contract/intent.ts";
import type { Now } from "#contract/ports.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { aged, fired, MAX_ARMED_INTENTS, mayFire, newIntent } from "./intent.ts";

/**
 * The standing intents of one agent, over a store. Whatever is asked for twice happens once: an intent
 * is named by the key it was made under, and coming up counts once per turn.
 */
export interface IntentBook extends Intents {
  /** Those that could still come up, for sessions to match by themselves. */
  armed(): readonly Intent[];
  /** Removes those that say something which is to be forgotten; how many. */
  forget(says: (text: string) => boolean): number;
}

const CLOSED_SHOWN = 50;
/** More than there ever are. */
const ALL = 10_000;

export function createIntentBook(store: IntentStore, now: Now): IntentBook {
  function keep(intent: Intent): Intent {
    store.put(intent);
    return intent;
  }

  /** Time passes without anybody writing it down: what is over is closed when it is looked at. */
  function armed(): Intent[] {
    return store.armed().filter((intent) => {
      const present = aged(intent, now());
      if (present.status !== "armed") keep(present);
      return present.status === "armed";
    });
  }

  return {
    armed,
    forget(says) {
      const gone = [...store.armed(), ...store.closed(ALL)].filter(({ when, action, keywords }) =>
        [when, action, ...keywords].some(says),
      );
      for (const { id } of gone) store.remove(id);
      return gone.length;
    },
    async create(given, key): Promise<IntentReceipt> {
      const id = sha256Hex(key).slice(0, 6);
      const known = store.get(id);
      if (known) return { ok: true, intent: known };
      if (armed().length >= MAX_ARMED_INTENTS) return { ok: false, reason: TOO_MANY };
      return { ok: true, intent: keep(newIntent(given, id, now())) };
    },
    async list() {
      return [...armed(), ...store.closed(CLOSED_SHOWN)];
    },
    async close(id, status): Promise<IntentReceipt> {
      const known = store.get(id);
      if (!known) return { ok: false, reason: `There is no standing intent "${id}".` };
      if (known.status === status) return { ok: true, intent: known };
      if (known.status !== "armed") {
        return { ok: false, reason: `The standing intent "${id}" is ${known.status} already.` };
      }
      return { ok: true, intent: keep({ ...known, status }) };
    },
    async fire(ids, turnId) {
      return ids.flatMap((id) => {
        const known = store.get(id);
        if (!known) return [];
        if (known.lastTurnId === turnId) return [known];
        return mayFire(known, now()) ? [keep(fired(known, turnId, now()))] : [];
      });
    },
  };
}

const TOO_MANY = `There are ${MAX_ARMED_INTENTS} standing intents already. List them, and close those that are not needed any more.`;
