import type { LineOrigin } from "#contract/provenance.ts";
import { isLower, type Trust } from "#contract/transcript.ts";

/** The order of the classes (contract/transcript.ts), for lines of which more than the class is known. */

/** The one that is trusted less, with all that is known of it; the first if they are equal. */
export function lowerOf<Origin extends LineOrigin>(a: Origin, b: Origin): Origin {
  return isLower(b.trust, a.trust) ? b : a;
}

/** At best `limit`. */
export function atBest(origin: LineOrigin, limit: Trust): LineOrigin {
  return isLower(limit, origin.trust) ? { ...origin, trust: limit } : origin;
}
