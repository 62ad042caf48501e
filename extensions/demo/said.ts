import type { PlannedCall } from "./call.ts";
import { exactLines, quoted } from "./found.ts";
import { readIntent } from "./intent.ts";
import { bestMatches, keywords } from "./keywords.ts";
import { passageLines, type FoundLine } from "./lines.ts";

/**
 * What was said in conversations, where the notes have no such words: only what an owner told, since
 * questions hold the same words, and so does what the demo has answered to them. What stands in a frame is
 * somebody else's, whatever it looks like; and a row that begins inside a line says so ("… ").
 */
const owner = /^\[\d{2}:\d{2}\] owner: (.+)$/;
const shown = 5;
const searches = 2;

export interface Looked {
  readonly name: string;
  readonly query: string;
  readonly text: string;
  readonly isError: boolean;
}

/** Searches of conversations for what searches of the notes did not find, each once. */
export function planSaid(looked: readonly Looked[]): PlannedCall[] {
  if (looked.some(({ name }) => name === "sessions_search")) return [];
  const queries = looked
    .filter(({ name, isError, text, query }) => {
      return name === "memory_search" && !isError && exactLines(text, query).length === 0;
    })
    .map(({ query }) => query);
  return [...new Set(queries)]
    .slice(0, searches)
    .map((query) => ({ name: "sessions_search", input: { query, limit: 10 } }));
}

export interface Said {
  readonly looked: readonly Looked[];
  /** What was said before in this conversation, which no search has yet. */
  readonly earlier: readonly string[];
}

/** As a list; null = nobody told anything about that. */
export function saidText({ looked, earlier }: Said, query: string): string | null {
  const found = looked.find((each) => each.name === "sessions_search" && each.query === query);
  const wanted = keywords(query);
  const here = earlier.flatMap((text) => text.split("\n")).filter(tells);
  const there = found && !found.isError ? passageLines(found.text.replace(framed, "")) : [];
  const told = [
    ...there.flatMap(toldLine).filter(({ text }) => !here.includes(text)),
    ...[...new Set(here)].map((text) => ({ path: "", line: 0, text })),
  ];
  const best = new Set(
    bestMatches(
      told.map(({ text }) => text),
      wanted,
      "beginning",
    ),
  );
  const lines = told.filter(({ text }) => best.has(text) && holdsMost(text, wanted));
  return lines.length === 0 ? null : quoted(lines.slice(0, shown));
}

/** To the end where the answer was cut off. */
const framed =
  /^<<<EXTERNAL_CONTENT [0-9a-f]{16}>>>$[\s\S]*?(?:^<<<END_EXTERNAL_CONTENT [0-9a-f]{16}>>>$|$(?![\s\S]))/gm;

function toldLine(line: FoundLine): FoundLine[] {
  const text = owner.exec(line.text)?.[1];
  return text !== undefined && tells(text) ? [{ ...line, text }] : [];
}

function tells(text: string): boolean {
  const { type } = readIntent(text);
  return type === "unknown" || type === "remember";
}

/** In a conversation a single word of several is said about anything. */
function holdsMost(text: string, wanted: readonly string[]): boolean {
  const held = wanted.filter((word) => bestMatches([text], [word], "beginning").length > 0);
  return held.length * 2 >= wanted.length;
}
