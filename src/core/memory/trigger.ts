import { functionWords } from "#kit/text/stop-words.ts";
import { singular } from "#kit/text/stem.ts";
import { foldedWords, foldText } from "#kit/text/words.ts";

/**
 * Which curated entries a message brings to mind, by the triggers they carry and without a
 * model. Only entries that code knows to be trusted are ever given to it.
 */
export interface TriggerEntry {
  readonly text: string;
  readonly triggers: readonly string[];
  /** 1 to 10; null = neutral. */
  readonly importance: number | null;
  /** Keys of the projects it belongs to; all of them must be active. */
  readonly projects: readonly string[];
}

export interface BroughtToMind<Entry> {
  readonly entry: Entry;
  /** 0 to 1: `0.8 · trigger + 0.2 · relevance`. */
  readonly score: number;
}

const CANDIDATES = 24;
const THRESHOLD = 0.65;
const TOP = 3;
const WORD_HIT = 0.85;
const PHRASE_HIT = 1;

/** At most three, best first; entries that are equally near in the order they stand in the file. */
export function matchTriggers<Entry extends TriggerEntry>(
  message: string,
  entries: readonly Entry[],
  activeProjects: readonly string[],
): BroughtToMind<Entry>[] {
  const said = heard(message);
  if (said.words.size === 0) return [];
  const near = entries
    .filter(({ projects }) => projects.every((key) => activeProjects.includes(key)))
    .map((entry) => ({ entry, trigger: bestTrigger(entry.triggers, said) }))
    .filter(({ trigger }) => trigger > 0)
    .sort((a, b) => b.trigger - a.trigger)
    .slice(0, CANDIDATES);
  return near
    .map(({ entry, trigger }) => ({
      entry,
      score: 0.8 * trigger + 0.2 * relevance(entry, said),
    }))
    .filter(({ score }) => score >= THRESHOLD)
    .sort((a, b) => b.score - a.score || weight(b.entry) - weight(a.entry))
    .filter(isFirstToSay)
    .slice(0, TOP);
}

/** What the file says twice takes no two of the places. */
function isFirstToSay<Entry extends TriggerEntry>(
  { entry: { text } }: BroughtToMind<Entry>,
  place: number,
  all: readonly BroughtToMind<Entry>[],
): boolean {
  return all.findIndex(({ entry }) => entry.text === text) === place;
}

/** From importance 1 to 10; none counts like 5. */
function weight({ importance }: TriggerEntry): number {
  return 0.8 + 0.04 * (importance ?? 5);
}

interface Heard {
  /** Folded, words apart by one blank, a blank at both ends. */
  readonly line: string;
  /** Without blanks: for scripts that have none. */
  readonly run: string;
  readonly words: ReadonlySet<string>;
}

function heard(message: string): Heard {
  const words = foldedWords(message).map(singular);
  return {
    line: ` ${words.join(" ")} `,
    run: foldText(message).replace(/\s+/g, ""),
    words: new Set(words),
  };
}

function bestTrigger(triggers: readonly string[], said: Heard): number {
  return Math.max(0, ...triggers.map((trigger) => triggerScore(trigger, said)));
}

/** A phrase that was said whole counts 1, a word 0.85, else the share of its words that were said. */
function triggerScore(trigger: string, said: Heard): number {
  if (hasNoSpaces(trigger)) return runScore(trigger, said);
  const words = foldedWords(trigger).map(singular);
  if (words.length === 0) return 0;
  const [only] = words;
  if (words.length === 1 && only !== undefined) {
    return said.words.has(only) && !functionWords.has(only) ? WORD_HIT : 0;
  }
  if (said.line.includes(` ${words.join(" ")} `)) return PHRASE_HIT;
  const telling = words.filter((word) => !functionWords.has(word));
  if (telling.length === 0) return 0;
  return telling.filter((word) => said.words.has(word)).length / telling.length;
}

/** Korean has spaces, but its words end with what they do in the sentence: one syllable is in too many. */
const spaceless =
  /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|\p{Script=Hangul}{2,})$/u;

function hasNoSpaces(trigger: string): boolean {
  return spaceless.test(trigger.replace(/[\s·、。,]+/g, ""));
}

/** One character says too little to count as a phrase. */
function runScore(trigger: string, said: Heard): number {
  const run = foldText(trigger).replace(/\s+/g, "");
  if (!said.run.includes(run)) return 0;
  return Array.from(run).length > 2 ? PHRASE_HIT : WORD_HIT;
}

/** Share of the message's telling words that the entry has. */
function relevance({ text, triggers }: TriggerEntry, said: Heard): number {
  const own = new Set(foldedWords(`${text} ${triggers.join(" ")}`).map(singular));
  const telling = [...said.words].filter((word) => !functionWords.has(word));
  if (telling.length === 0) return 0;
  return telling.filter((word) => own.has(word)).length / telling.length;
}
