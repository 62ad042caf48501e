import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TranscriptEntry } from "#contract/transcript.ts";
import { softTrim } from "#core/turn/soft-trim.ts";
import { estimateTokens } from "#kit/tokens.ts";

const common = { sessionId: "s", turnId: "t", at: 0, trust: "agent" as const };

function tool(seq: number, text: string): TranscriptEntry {
  const results = [{ callId: `c${seq}`, name: "read", text, isError: false }];
  return { ...common, seq, role: "tool", tokens: estimateTokens(text) + 10, results };
}

function said(seq: number, text: string): TranscriptEntry {
  const content = [{ type: "text" as const, text }];
  const tokens = estimateTokens(text);
  return { ...common, seq, role: "assistant", tokens, content, status: "complete" };
}

const total = (entries: readonly TranscriptEntry[]) =>
  entries.reduce((sum, entry) => sum + entry.tokens, 0);

describe("softTrim", () => {
  it("changes nothing that fits", () => {
    const entries = [tool(1, "x".repeat(10_000)), said(2, "ok")];
    expect(softTrim(entries, 100_000)).toBe(entries);
  });

  it("shortens the oldest results first, and only as far as needed", () => {
    const entries = [1, 2, 3, 4, 5, 6].map((seq) => tool(seq, `${seq}`.repeat(8_000)));
    const trimmed = softTrim(entries, total(entries) - 1_500);
    const lengths = trimmed.map((entry) =>
      entry.role === "tool" ? entry.results[0]?.text.length : 0,
    );
    expect(lengths[0]).toBeLessThan(1_200);
    expect(lengths.slice(1)).toEqual([8_000, 8_000, 8_000, 8_000, 8_000]);
  });

  it("never touches words or the latest results, however small the budget", () => {
    const length = fc.integer({ min: 0, max: 9_000 });
    fc.assert(
      fc.property(fc.array(length, { maxLength: 12 }), fc.nat(5_000), (lengths, budget) => {
        const entries = lengths.flatMap((size, index) => [
          said(2 * index, "word ".repeat(size / 50)),
          tool(2 * index + 1, "r".repeat(size)),
        ]);
        const trimmed = softTrim(entries, budget);
        expect(trimmed.length).toBe(entries.length);
        expect(total(trimmed)).toBeLessThanOrEqual(total(entries));
        const latest = entries.filter((entry) => entry.role === "tool").slice(-3);
        for (const [index, entry] of entries.entries()) {
          if (entry.role !== "tool" || latest.includes(entry)) expect(trimmed[index]).toBe(entry);
        }
      }),
    );
  });
});
