import { anything, notes } from "./call.ts";
import { bestMatches, keywords, literal } from "./keywords.ts";
import type { Phrases } from "./phrases.ts";

/** What a search came to: the lines themselves, each with its file, or plainly that there is nothing. */
const shownMatches = 8;
const shownNotes = 20;

/** `path:line: text`, as the tool answers. */
const row = /^([^\s:][^:]*):\d+: (.*)$/;
/** A row of the notes that says something: no heading, comment, or form nobody has filled in. */
const note = /^[^\s:][^:]*:\d+: (?!\s*(?:<!--|#|>)).*[^:\s]\s*$/;
/** `1. path:3-4 (score …)`, above each passage that a search of the memory found. */
const head = /^\d+\. (\S.*):(\d+)(?:-\d+)? \(score /;
/** The same of a file whose name somebody else may have chosen: it stands with their words. */
const foreignHead = /^\d+\. at the place below \(score /;

/** The passages found, line by line, as grep would show them. */
function asRows(text: string): string {
  let path = "";
  return text
    .split("\n")
    .flatMap((line) => {
      if (foreignHead.test(line)) {
        path = "memory";
        return [];
      }
      const passage = head.exec(line);
      if (passage) path = passage[1] ?? "";
      return passage || path === "" || line === "" ? [] : [`${path}:1: ${line}`];
    })
    .join("\n");
}

/** What a search of the memory came to: the lines that hold the most of its words. */
export function recalledText(text: string, query: string, phrases: Phrases): string {
  const pattern = keywords(query).map(literal).join("|");
  return foundText(asRows(text), { pattern, path: "memory" }, phrases);
}

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
    return `${withoutNotes(said)} — \`${path}\``;
  });
  return bullets(lines);
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
