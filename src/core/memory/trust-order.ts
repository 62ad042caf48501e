import type { LineOrigin } from "#contract/provenance.ts";
import { trusts, type Trust } from "#contract/transcript.ts";

/** The closed set of classes in order of trust: what is mixed is only as good as its lowest part. */
export function isLower(a: Trust, b: Trust): boolean {
  return trusts.indexOf(a) > trusts.indexOf(b);
}

export function lowestTrust(...all: readonly Trust[]): Trust {
  return all.reduce((lowest, trust) => (isLower(trust, lowest) ? trust : lowest), "owner");
}

/** The one that is trusted less, with all that is known of it; the first if they are equal. */
export function lowerOf<Origin extends LineOrigin>(a: Origin, b: Origin): Origin {
  return isLower(b.trust, a.trust) ? b : a;
}

/** At best `limit`. */
export function atBest(origin: LineOrigin, limit: Trust): LineOrigin {
  return isLower(limit, origin.trust) ? { ...origin, trust: limit } : origin;
}

/** Reached by what may become context or memory by itself. */
export function isClean(trust: Trust): trust is "owner" | "agent" {
  return trust === "owner" || trust === "agent";
}
