/**
 * Where a string may be cut without hurting what a person sees: at the edges of grapheme clusters, in
 * UTF-16 units, as chat platforms count. A cluster that is longer than what is asked for (a letter
 * under a thousand accents) is cut between code points rather than not at all. Segmenting costs about
 * a microsecond per cluster, so only the stretch that matters is looked at.
 */
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The largest cluster edge in `text` that is at most `limit` UTF-16 units from the start. Where the
 * first cluster alone is longer: the largest code point edge, so 0 only if not even one code point
 * has room. `text` must start at a cluster edge.
 */
export function graphemeEdge(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  if (limit <= 0) return 0;
  // Whether there is an edge at `limit` depends on what comes before it and on one code point after.
  const window = text.slice(0, limit + 2);
  let edge = 0;
  for (const { index } of segmenter.segment(window)) {
    if (index > limit) break;
    edge = index;
  }
  return edge > 0 ? edge : codePointEdge(text, limit);
}

/** The end of the first grapheme cluster (of its first 256 UTF-16 units); 0 for the empty string. */
export function firstGraphemeEnd(text: string): number {
  const window = text.slice(0, codePointEdge(text, 256));
  const [first] = segmenter.segment(window);
  return first === undefined ? 0 : first.segment.length;
}

/** The longest beginning of `text` of at most `limit` UTF-16 units that cuts no grapheme. */
export function truncateText(text: string, limit: number): string {
  return text.slice(0, graphemeEdge(text, limit));
}

function codePointEdge(text: string, limit: number): number {
  const before = text.charCodeAt(limit - 1);
  const after = text.charCodeAt(limit);
  const insidePair = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return insidePair ? limit - 1 : limit;
}
