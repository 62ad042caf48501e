import { z } from "zod";
import type { StoredTranscript } from "#contract/transcript-store.ts";
import type { TranscriptLine } from "#contract/memory.ts";
import {
  lineOriginSchema,
  type ClassifiedFile,
  type ClassifiedLine,
} from "#contract/provenance.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { FORGOTTEN, type Forgetter } from "#kit/text/forget-text.ts";
import { wallTime } from "#kit/wall-time.ts";
import { isForgotten } from "./forgotten.ts";
import { lineHash } from "./line-hash.ts";

/**
 * How transcripts are kept (a JSON object a line, with its class) and read (`[HH:MM] owner: text`, a
 * line each). Pure. Of a line that was forgotten its id stays, so that it is not taken over once more.
 */
const keptLineSchema = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  origin: lineOriginSchema,
});
const goneLineSchema = z.object({ id: z.string(), gone: z.literal(true) });
const storedLineSchema = z.union([goneLineSchema, keptLineSchema]);
export type StoredLine = z.infer<typeof storedLineSchema>;
export type KeptLine = z.infer<typeof keptLineSchema>;

/** What cannot be read is left out: `unreadable` counts it. */
export function parseTranscript(text: string): {
  readonly lines: readonly StoredLine[];
  readonly unreadable: number;
} {
  const raw = text.split("\n").filter((line) => line !== "");
  const lines = raw.flatMap((line) => parseLine(line) ?? []);
  return { lines, unreadable: raw.length - lines.length };
}

function parseLine(line: string): StoredLine | null {
  try {
    return storedLineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

export function formatTranscript(lines: readonly StoredLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const LINE_LENGTH = 8_000;

/** As it is kept: on one line, bounded, and nothing in it that could pass for a note of an entry. */
export function keptLine(
  { id, role, text, origin }: TranscriptLine,
  redact: (text: string) => string,
): KeptLine {
  const folded = redact(text.toWellFormed())
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("<!--", "<! --")
    .replaceAll("-->", "-- >")
    .trim();
  const cut =
    folded.length > LINE_LENGTH ? `${folded.slice(0, LINE_LENGTH).toWellFormed()}…` : folded;
  return { id, role, text: cut, origin };
}

/** As a source of the memory. */
export function readTranscript(
  transcript: StoredTranscript,
  lines: readonly StoredLine[],
  timeZone: string,
): ClassifiedFile {
  const shown = lines.flatMap((line): ClassifiedLine[] =>
    "gone" in line ? [] : [{ text: lineText(line, timeZone), origin: line.origin }],
  );
  const { sessionKey, identity, etag, modifiedAt } = transcript;
  return {
    path: transcriptPath(transcript),
    text: shown.map(({ text }) => text).join("\n"),
    etag,
    modifiedAt,
    authorship: "ours",
    lines: shown,
    conversation: { sessionKey, identity },
  };
}

/** What is to go: lines by their hash, and sentences by what they say. */
export interface Forgetting {
  readonly hashes: ReadonlySet<string>;
  readonly sentences: Forgetter;
}

/** The lines without what is forgotten, and the hashes of the changed ones as they were read. */
export function forgetInTranscript(
  lines: readonly StoredLine[],
  { hashes, sentences }: Forgetting,
  timeZone: string,
): { readonly lines: readonly StoredLine[]; readonly removed: readonly string[] } {
  const removed: string[] = [];
  const next = lines.map((line): StoredLine => {
    if ("gone" in line) return line;
    const isGone = isForgotten(lineText(line, timeZone), hashes);
    const text = isGone ? FORGOTTEN : sentences.forget(line.text);
    if (text === line.text) return line;
    removed.push(lineHash(lineText(line, timeZone)));
    return text === FORGOTTEN ? { id: line.id, gone: true } : { ...line, text };
  });
  return { lines: next, removed };
}

function lineText({ role, text, origin }: KeptLine, timeZone: string): string {
  const speaker = role === "assistant" ? "assistant" : origin.trust === "owner" ? "owner" : "other";
  return `[${wallTime(origin.at, timeZone).time}] ${speaker}: ${text}`;
}

const FOLDER_LENGTH = 300;

/** The conversation's key as the name of a folder: no two share one, and no path trick gets through. */
export function transcriptFolder(sessionKey: string): string {
  const name = Array.from(sessionKey, (character) => {
    if (/[a-z0-9-]/.test(character)) return character;
    return character === ":" ? "." : `_${(character.codePointAt(0) ?? 0).toString(16)}_`;
  }).join("");
  if (name.length <= FOLDER_LENGTH) return name;
  return `${name.slice(0, FOLDER_LENGTH)}~${sha256Hex(sessionKey).slice(0, 32)}`;
}

export function transcriptPath({ folder, part }: { folder: string; part: string }): string {
  return `sessions/${folder}/${part}.md`;
}

/** Null when it is no path of a transcript. */
export function parseTranscriptPath(path: string): { folder: string; part: string } | null {
  const [, folder, part] =
    /^sessions\/([a-z0-9._~-]+)\/(\d{4}-\d{2}-\d{2}(?:-\d{1,4})?)\.md$/.exec(path) ?? [];
  return folder === undefined || part === undefined ? null : { folder, part };
}
