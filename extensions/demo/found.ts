import { bestMatches, keywords } from "./keywords.ts";
import { grepLines, passageLines, tellingLines, type FoundLine } from "./lines.ts";
import { isNote, notes } from "./notes.ts";
import type { Phrases } from "./phrases.ts";

/** What a search came to: the lines themselves, each with its file, or plainly that there is nothing. */
const shownMatches = 8;
const shownNotes = 20;
const shownOfOne = 12;
const shownNear = 5;

/**
 * What a search of the memory came to: the lines that hold the most of its words, else of their
 * beginnings ("allergy" finds "allergic"), else what else it found.
 */
export function recalledText(text: string, query: string, phrases: Phrases): string {
  const lines = tellingLines(passageLines(text));
  const best = exactLines(text, query);
  if (best.length > 0) return phrases.found(quoted(best.slice(0, shownMatches)));
  if (lines.length > 0) return phrases.nearest(quoted(lines.slice(0, shownNear)));
  return phrases.notFound(notes.map((name) => `\`${name}\``).join(", "));
}

/** Of what a search of the memory came to, the lines that have words of the question. */
export function exactLines(text: string, query: string): FoundLine[] {
  const lines = tellingLines(passageLines(text));
  const wanted = keywords(query);
  const exact = matching(lines, wanted, "word");
  return exact.length > 0 ? exact : matching(lines, wanted, "beginning");
}

/** What a search for words in all files came to. */
export function foundText(text: string, pattern: string, phrases: Phrases): string {
  const wanted = pattern.split("|").map((word) => word.replace(/\\(.)/g, "$1"));
  const best = matching(grepLines(text), wanted, "word");
  return best.length > 0 ? phrases.found(quoted(best.slice(0, shownMatches))) : phrases.nowhere;
}

/** The notes themselves, in the order of their files; of a long one its end, which is the newest. */
export function notesText(text: string, phrases: Phrases): string {
  const lines = tellingLines(grepLines(text)).filter(({ path }) => isNote(path));
  const paths = [...new Set(lines.map(({ path }) => path))];
  const shown = paths.flatMap((name) =>
    lines.filter(({ path }) => path === name).slice(-shownOfOne),
  );
  if (shown.length > 0) return phrases.found(quoted(shown.slice(0, shownNotes)));
  return phrases.noNotes(notes.map((name) => `\`${name}\``).join(", "));
}

function matching(
  lines: readonly FoundLine[],
  wanted: readonly string[],
  by: "word" | "beginning",
): FoundLine[] {
  const best = new Set(
    bestMatches(
      lines.map(({ text }) => text),
      wanted,
      by,
    ),
  );
  return lines.filter(({ text }) => best.has(text));
}

export function quoted(lines: readonly FoundLine[]): string {
  return bullets(
    lines.map(({ path, text }) => withoutNotes(text) + (path === "" ? "" : ` — \`${path}\``)),
  );
}

/** Without marker, time and what only the memory itself reads. */
function withoutNotes(line: string): string {
  return line
    .replace(/^[\s*-]+/, "")
    .replace(/^\d{2}:\d{2} /, "")
    .replace(/\s*<!--.*?-->/g, "");
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
