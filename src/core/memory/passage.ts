import type { NewPassage, Part } from "#contract/memory-index.ts";
import type { ClassifiedFile, ClassifiedLine } from "#contract/provenance.ts";
import { isClean, type Trust } from "#contract/transcript.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { readNotes, stripNotes, type EntryNotes } from "./entry-notes.ts";
import { firstWords, indexWords, lastWords, wordCount } from "./keywords.ts";
import { sourceOf } from "./source.ts";
import { splitLine } from "./split-line.ts";

/**
 * A file as passages. The unit is small (a sentence or two of one line), because small units are ranked
 * best; the words around it go into columns of their own, and answers grow again (window.ts). Clean and
 * outside lines are treated as two files that know nothing of each other: what stands between two clean
 * lines changes nothing about them but the number of the line.
 */
const CONTEXT_WORDS = 40;
/** What is longer counts as more words: hashes, links and the like would make contexts of kilobytes. */
const LONGEST_WORD = 20;

export function partOf(trust: Trust): Part {
  return isClean(trust) ? "clean" : "outside";
}

export function passagesOf(file: ClassifiedFile, date: string | null): NewPassage[] {
  const ownText = sourceOf(file.path)?.kind === "curated";
  const pieces = file.lines.flatMap((line, index) =>
    // The product's own text in them (a template) says nothing of anybody.
    ownText && line.origin.trust === "system" ? [] : piecesOfLine(line, index + 1),
  );
  const words = dateWords(date);
  return (["clean", "outside"] as const).flatMap((part) =>
    withContext(
      pieces.filter((piece) => piece.part === part),
      words,
    ),
  );
}

interface Piece {
  readonly part: Part;
  readonly line: number;
  readonly text: string;
  /** Without mark-up, and with the name the line begins with. */
  readonly said: string;
  /** How many words that is. */
  readonly words: number;
  readonly heading: boolean;
  readonly trust: Trust;
  readonly notes: EntryNotes;
}

/** A heading that is only a date, a rule, an empty item, the kind of words that were captured: nothing to find. */
const says = /[\p{L}\p{N}]/u;
const onlyDate = /^#{1,6}\s+\d{4}-\d{2}-\d{2}\s*$/;
const onlyKind = /^- \d{2}:\d{2} [a-z]+:\s*$/;

function piecesOfLine({ text, origin }: ClassifiedLine, line: number): Piece[] {
  const plain = stripNotes(text.endsWith("\r") ? text.slice(0, -1) : text);
  if (!says.test(plain) || onlyDate.test(plain) || onlyKind.test(plain)) return [];
  const { trust } = origin;
  const shared = { part: partOf(trust), line, trust, notes: readNotes(text) };
  const heading = /^#{1,6}\s/.test(plain);
  return splitLine(plain)
    .filter(({ said }) => says.test(said))
    .map((piece) => ({ ...shared, ...piece, heading, words: wordCount(piece.said) }));
}

function withContext(pieces: readonly Piece[], date: string): NewPassage[] {
  let section = "";
  return pieces.map((piece, position) => {
    if (piece.heading) section = piece.said;
    const before = `${piece.heading ? "" : section} ${around(pieces, position, -1)}`;
    const { part, line, text, trust, notes } = piece;
    const content = {
      text,
      trust,
      importance: notes.importance,
      projects: notes.projects,
      superseded: notes.status === "superseded",
      self: `${date} ${indexWords(piece.said)}`.trim(),
      before: indexWords(before).trim(),
      after: indexWords(around(pieces, position, 1)).trim(),
    };
    const hash = sha256Hex(JSON.stringify(content)).slice(0, 32);
    return { part, position, line, ...content, hash };
  });
}

/** The nearest words before (-1) or after (1) a piece. */
function around(pieces: readonly Piece[], position: number, direction: 1 | -1): string {
  const parts: string[] = [];
  let left = CONTEXT_WORDS;
  for (let at = position + direction; left > 0; at += direction) {
    const piece = pieces[at];
    if (!piece) break;
    const cut = direction === 1 ? firstWords : lastWords;
    parts.push(piece.words <= left ? piece.said : cut(piece.said, left));
    // Even a piece without words ends it some time.
    left -= Math.max(1, piece.words, piece.said.length / LONGEST_WORD);
  }
  return (direction === 1 ? parts : parts.toReversed()).join(" ");
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Everything in a dated note happened that day: questions name it in words as well as in numbers. */
function dateWords(date: string | null): string {
  const [year, month, day] = date?.split("-").map(Number) ?? [];
  if (date === null || year === undefined || month === undefined || day === undefined) return "";
  return `${date} ${day} ${months[month - 1] ?? ""} ${year} ${month}月 ${day}日`;
}
