import { anything, notes } from "./call.ts";
import { bestMatches } from "./keywords.ts";
import type { Phrases } from "./phrases.ts";

/** What a search came to: the lines themselves, each with its file, or plainly that there is nothing. */
const shownMatches = 8;
const shownNotes = 20;

/** `path:line: text`, as the tool answers. */
const row = /^([^\s:][^:]*):\d+: (.*)$/;
/** A row of the notes that says something: no heading, comment, or form nobody has filled in. */
const note = /^[^\s:][^:]*:\d+: (?!\s*(?:<!--|#)).*[^:\s]\s*$/;

export function foundText(
  text: string,
  { pattern = "", path }: Readonly<Record<string, string>>,
  phrases: Phrases,
): string {
  const everywhere = path === undefined;
  const rows = text.split("\n").filter((line) => (everywhere ? row : note).test(line));
  const places = notes.map((name) => `\`${name}\``).join(", ");
  if (pattern === anything) {
    return rows.length === 0
      ? phrases.noNotes(places)
      : phrases.found(quoted(rows.slice(-shownNotes)));
  }
  const words = pattern.split("|").map((word) => word.replace(/\\(.)/g, "$1"));
  const best = bestMatches(rows, words).slice(0, shownMatches);
  if (best.length > 0) return phrases.found(quoted(best));
  return everywhere ? phrases.nowhere : phrases.notFound(places);
}

function quoted(rows: readonly string[]): string {
  const lines = rows.map((line) => {
    const [, path = "", said = line] = row.exec(line) ?? [];
    return `${said.replace(/^[\s*-]+/, "")} — \`${path}\``;
  });
  return bullets(lines);
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
