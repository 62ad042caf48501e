import type { Origins, Place } from "#contract/origins.ts";
import { inTime } from "./in-time.ts";

const LIMIT_MS = 2_000;
/** Groups kept in mind. */
const MOST = 1_000;

/** With a memory: what is decided never changes, so each group is read once in the life of an isolate. */
export function rememberOrigins(origins: Origins): Origins {
  const known = new Map<string, string>();
  const keep = (place: Place, origin: string) => {
    if (known.size >= MOST) known.clear();
    known.set(nameOf(place), origin);
    return origin;
  };
  return {
    async find(place) {
      const kept = known.get(nameOf(place));
      if (kept !== undefined) return kept;
      const origin = await inTime(origins.find(place), LIMIT_MS, "the database");
      return origin === null ? null : keep(place, origin);
    },
    async decide(place, origin) {
      return keep(place, await inTime(origins.decide(place, origin), LIMIT_MS, "the database"));
    },
  };
}

function nameOf({ channel, conversation }: Place): string {
  return JSON.stringify([channel, conversation]);
}
