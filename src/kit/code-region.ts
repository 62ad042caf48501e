/**
 * Where code is in a Markdown text: ends of fenced blocks and inline spans, for scanners that must leave
 * code alone. Not a Markdown parser (that is kit/markdown): it also has to work on half a text while it
 * streams, and in linear time on anything.
 */

/** Source of a pattern for the line that opens a fenced block (named group "fence"). */
export const fenceSource =
  "(?<fence>(?<=^|\\n)[ \\t>]{0,32}(?:`{3,}(?!`)(?![^\\n]*`)|~{3,})[^\\n]*)";

/** Where a fenced block ends whose opening line is the given range; undefined if it is not closed. */
export function fenceEnd(
  text: string,
  opening: { start: number; end: number },
): number | undefined {
  const marker = /`{3,}|~{3,}/.exec(text.slice(opening.start, opening.end))?.[0] ?? "```";
  const close = new RegExp(
    `\\n[ \\t>]{0,32}${marker.charAt(0)}{${marker.length},}[ \\t]*(?=\\r?\\n|$)`,
    "g",
  );
  close.lastIndex = opening.end;
  const match = close.exec(text);
  return match ? match.index + match[0].length : undefined;
}

/** Start of an inline code span → the position behind it. Spans do not cross a blank line or a fence. */
export function findCodeSpans(text: string): ReadonlyMap<number, number> {
  const spans = new Map<number, number>();
  const open = new Map<number, number>();
  for (const match of text.matchAll(/`+|\n[ \t]*(?=\r?\n)|\n[ \t>]{0,32}(?=```|~~~)/g)) {
    const start = open.get(match[0].length);
    if (!match[0].startsWith("`")) {
      open.clear();
    } else if (start === undefined) {
      open.set(match[0].length, match.index);
    } else {
      spans.set(start, match.index + match[0].length);
      closeFrom(open, start);
    }
  }
  return spans;
}

/** Runs inside a span are its content and open nothing. */
function closeFrom(open: Map<number, number>, start: number): void {
  for (const [length, position] of open) if (position >= start) open.delete(length);
}

/** Does the text end inside a fenced block? */
export function endsInFence(text: string): boolean {
  if (!text.includes("```") && !text.includes("~~~")) return false;
  const scan = new RegExp(fenceSource, "g");
  for (let match = scan.exec(text); match; match = scan.exec(text)) {
    const end = fenceEnd(text, { start: match.index, end: match.index + match[0].length });
    if (end === undefined) return true;
    scan.lastIndex = end;
  }
  return false;
}
