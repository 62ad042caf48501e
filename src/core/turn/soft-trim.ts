import type { TranscriptEntry } from "#contract/transcript.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import { estimateTokens } from "#kit/tokens.ts";

/**
 * Makes room inside a turn that alone is over the budget: old tool results are shortened in the
 * request, oldest first, never the latest ones. They can be fetched again; what people and the model
 * said cannot. The transcript itself keeps everything.
 */
const KEPT_RESULTS = 3;
const KEPT_CHARS = 1_000;

export function softTrim(
  entries: readonly TranscriptEntry[],
  budget: number,
): readonly TranscriptEntry[] {
  let tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
  if (tokens <= budget) return entries;
  const tools = entries.filter((entry) => entry.role === "tool");
  const old = new Set(tools.slice(0, -KEPT_RESULTS));
  return entries.map((entry) => {
    if (entry.role !== "tool" || !old.has(entry) || tokens <= budget) return entry;
    const shorter = shorten(entry);
    tokens -= entry.tokens - shorter.tokens;
    return shorter;
  });
}

type ToolEntry = Extract<TranscriptEntry, { role: "tool" }>;

function shorten(entry: ToolEntry): ToolEntry {
  const results = entry.results.map((result) => {
    const cut = result.text.length - KEPT_CHARS;
    if (cut <= 0) return result;
    const head = truncateText(result.text, KEPT_CHARS);
    return { ...result, text: `${head}\n[… ${cut} characters left out; call again if needed …]` };
  });
  const tokens = results.reduce((sum, { text }) => sum + estimateTokens(text) + 10, 0);
  return { ...entry, results, tokens: Math.min(entry.tokens, tokens) };
}
