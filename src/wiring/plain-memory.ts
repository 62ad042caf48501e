import type { Memory, MemoryRow } from "#contract/memory.ts";
import type { WorkspaceReader } from "#core/workspace/reader.ts";

/**
 * Memory without an index: the lines of the files that hold most of the words asked for. What was said
 * in conversations is not kept.
 */
const PLACES = ["MEMORY.md", "USER.md", "memory"];
const MATCHES = 100;

export function createPlainMemory(reader: WorkspaceReader): Memory {
  return {
    async search({ text, limit = 6 }) {
      const words = wordsOf(text);
      if (words.length === 0) return { rows: [], mode: "keyword", notices: [] };
      const found = await Promise.all(
        PLACES.map((folder) =>
          reader.grep({
            pattern: words.map(literal).join("|"),
            folder,
            ignoreCase: true,
            maxMatches: MATCHES,
          }),
        ),
      );
      const rows = found.flatMap((result) =>
        result.ok
          ? result.matches.map(({ path, line, text: said }): MemoryRow => {
              const score = words.filter((word) => holds(said, word)).length / words.length;
              const trust = result.untrusted ? "untrusted" : "agent";
              return { path, from: line, to: line, text: said, score, trust, date: dayOf(path) };
            })
          : [],
      );
      const best = rows.filter((row) => row.score > 0).toSorted((a, b) => b.score - a.score);
      return { rows: best.slice(0, limit), mode: "keyword", notices: [] };
    },

    async read({ path, from = 1, lines = 50 }) {
      const file = await reader.read(path);
      if (!file) return null;
      const all = file.text.replace(/\n$/, "").split("\n");
      const shown = all.slice(from - 1, from - 1 + lines);
      const trust = file.untrusted ? "untrusted" : "agent";
      const to = from - 1 + shown.length;
      return { path, from, to, total: all.length, text: shown.join("\n"), trust };
    },

    async ingest() {},

    async status() {
      return { sources: 0, passages: 0, waiting: 0, embedder: null, problem: null };
    },
  };
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))].slice(0, 20);
}

function holds(text: string, word: string): boolean {
  if (/[\u2e80-\uffef]/.test(word)) return text.includes(word);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${literal(word)}s?(?![\p{L}\p{N}])`, "iu").test(
    text,
  );
}

function literal(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function dayOf(path: string): string | null {
  return /(\d{4}-\d{2}-\d{2})/.exec(path)?.[1] ?? null;
}
