import type { NoteEntry } from "#contract/memory.ts";
import type { QuotedLine } from "#contract/provenance.ts";
import { isLower, type Trust } from "#contract/transcript.ts";
import type { WorkspaceOperation } from "#contract/workspace.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import { wallTime } from "#kit/wall-time.ts";

/**
 * How a daily note looks: `memory/YYYY-MM-DD.md` by the owner's day, a heading with the date, entries
 * `- HH:MM text`, and below an entry the owner's own words, `  > "…"`. Text only: who may write what is
 * decided where the operation is made.
 */
export interface NotePlace {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The owner's IANA zone. */
  readonly timeZone: string;
}

export type NoteAddition = Pick<WorkspaceOperation, "path" | "change" | "author" | "quoted">;

const ENTRY_LENGTH = 2_000;
const WORDS_LENGTH = 1_000;

/** YYYY-MM-DD of the owner's day. */
export function noteDay({ at, timeZone }: NotePlace): string {
  return wallTime(at, timeZone).day;
}

export function notePath(place: NotePlace): string {
  return `memory/${noteDay(place)}.md`;
}

/** Notes of one day, if one does not hold it: as many megabytes. */
export const DAY_NOTES = 9;

/** `memory/2031-05-06.md` → `memory/2031-05-06-2.md`. */
export function notePart(dayPath: string, part: number): string {
  return part === 1 ? dayPath : dayPath.replace(/\.md$/, `-${part}.md`);
}

/** What stands in a note already. */
export interface PresentNote {
  /** Nothing at all, not even what is on its way there. */
  readonly empty: boolean;
  readonly lines: readonly PresentLine[];
}

export interface PresentLine {
  readonly text: string;
  readonly trust: Trust;
}

/** What adds the entries to the day's note. Null: all of it stands there already. */
export function addToNote(
  present: PresentNote,
  place: NotePlace,
  entries: readonly NoteEntry[],
): NoteAddition | null {
  const known = new KnownLines(present.lines);
  const lines = entries.flatMap((entry) => newLines(entry, place, known));
  if (lines.length === 0) return null;
  const author = entries[0]?.author;
  // One author for a change: whatever is somebody else's is said line by line.
  const quoted = lines.filter(({ origin }) => origin !== author);
  const heading = present.empty ? `# ${noteDay(place)}\n\n` : "";
  const text = `${heading}${lines.map((line) => line.text).join("\n")}\n`;
  return {
    path: notePath(place),
    change: { type: "append", text },
    ...(author ? { author } : {}),
    ...(quoted.length > 0 ? { quoted } : {}),
  };
}

/**
 * Lines a new one may be the repetition of. Only of its own class or a better one: what somebody else
 * has written never stands for what an owner or the agent says.
 */
class KnownLines {
  readonly #keys = new Map<string, Trust>();

  constructor(lines: readonly PresentLine[]) {
    for (const line of lines) this.add(line.text, line.trust);
  }

  add(text: string, trust: Trust): void {
    const key = keyOf(text);
    const other = this.#keys.get(key);
    if (other === undefined || isLower(other, trust)) this.#keys.set(key, trust);
  }

  has(text: string, trust: Trust): boolean {
    const known = this.#keys.get(keyOf(text));
    return known !== undefined && !isLower(known, trust);
  }

  /** As a whole or as a part of what was quoted. */
  hasWords(words: string): boolean {
    for (const [key, trust] of this.#keys) {
      if (trust === "owner" && key.startsWith(">") && key.includes(words)) return true;
    }
    return false;
  }
}

/** Lines of the entry that are not there yet, and from now on count as known. */
function newLines(entry: NoteEntry, place: NotePlace, known: KnownLines): QuotedLine[] {
  const { author } = entry;
  const said = foldLine(entry.text, ENTRY_LENGTH);
  // What may have been said by anybody looks like it.
  const text = author.trust === "untrusted" ? `${FROM_OUTSIDE} ${said}` : said;
  const head = { text: `- ${wallTime(place.at, place.timeZone).time} ${text}`, origin: author };
  const words = (entry.words ?? [])
    .map((one): QuotedLine => ({ text: wordsLine(one.text), origin: one.origin }))
    .filter((line) => !known.hasWords(saidBy(line.text)));
  // Of captured words the head is only their kind: they decide.
  const isNew = words.length > 0 || (!isKind(said) && !known.has(head.text, author.trust));
  if (said === "" || !isNew) return [];
  const lines = [head, ...words];
  for (const line of lines) known.add(line.text, line.origin.trust);
  return lines;
}

const FROM_OUTSIDE = "[from outside]";

/** Words stand for words and entries for entries. */
function keyOf(line: string): string {
  return `${line.startsWith("  > ") ? ">" : "-"}${saidBy(line)}`;
}

/** `preference:`, the head of captured words. */
function isKind(text: string): boolean {
  return /^[a-z]+:$/.test(text);
}

/** What a line of a note says: without marker and time, or the words alone. */
export function saidBy(line: string): string {
  const words = /^\s*> "(.*)"$/.exec(line)?.[1];
  return words ?? line.replace(/^- (?:\d{2}:\d{2} )?/, "").trim();
}

function wordsLine(text: string): string {
  return `  > "${foldLine(text, WORDS_LENGTH)}"`;
}

/** One line that cannot be taken for a note of an entry or for markup of the file itself. */
export function foldLine(text: string, limit: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("<!--", "<! --")
    .replaceAll("-->", "-- >")
    .trim();
  return line.length > limit ? `${truncateText(line, limit)}…` : line;
}
