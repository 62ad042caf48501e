import type { NoteEntry, OwnerWords } from "#contract/memory.ts";
import { redact } from "#kit/redact.ts";
import { secretWords } from "#kit/secret-words.ts";
import { suspicions } from "#kit/external-content.ts";
import { asksToRemember } from "./asks-to-remember.ts";
import { captureRules } from "./capture-rules.ts";
import { toldIn, type Told } from "./foreign-words.ts";

/**
 * What of an owner's message is worth keeping, by rule and without a model: whole sentences, in their
 * own words. Pure. What might be an instruction to a machine, something quoted or pasted, or a secret is
 * left alone: dreaming sees what is said here and nobody reads it first. Better too little than too much.
 */
const captureCategories = ["preference", "decision", "entity", "fact", "other"] as const;
export type CaptureCategory = (typeof captureCategories)[number];

export interface Capture {
  readonly category: CaptureCategory;
  /** A verbatim span of the message. */
  readonly text: string;
}

const MOST = 5;
const LONGEST_MESSAGE = 4_000;
const SHORTEST = 4;
const LONGEST = 300;

export function captures(message: string): Capture[] {
  // What is longer is pasted.
  if (message.length > LONGEST_MESSAGE || message.includes("```")) return [];
  if (/^\s*\//.test(message) || suspicions(message).length > 0) return [];
  const found = toldIn(message).flatMap((told) => {
    const category = categoryOf(told);
    return category ? [{ category, text: told.text }] : [];
  });
  const seen = new Set<string>();
  return found.filter(({ text }) => !seen.has(text) && seen.add(text)).slice(0, MOST);
}

/** The same of words an owner wrote, as entries of a day's note. */
export function captureEntries({ text, origin }: OwnerWords): NoteEntry[] {
  return captures(text).map((found) => ({
    text: `${found.category}:`,
    author: origin,
    words: [{ text: found.text, origin }],
  }));
}

function categoryOf({ text: sentence, own }: Told): CaptureCategory | null {
  if (sentence.length < SHORTEST || sentence.length > LONGEST || isForeign(sentence)) return null;
  if (holdsSecret(sentence)) return null;
  const asked = asksToRemember(own);
  if (!asked && isQuestion(sentence)) return null;
  const rule = captureRules.find(({ pattern }) => pattern.test(own));
  if (rule) return rule.category;
  return asked ? "other" : null;
}

/** Quoted, listed or code; a line of the product, of another assistant or of a form. */
const foreign =
  /^\s*(?:>|\||[#*\-•]\s|<|\{|\[|["'“«「『]|(?:system|assistant|user|human|ai|pagurus|from|to|subject|date|von|betreff|发件人|收件人|主题)\s*[:：])|<\/?[a-z][^>]*>|https?:\/\/\S{40,}|(?:\[Pagurus\]|EXTERNAL_CONTENT|MEMORY\.md|USER\.md)/iu;

function isForeign(sentence: string): boolean {
  return foreign.test(sentence);
}

/** A payment card's digits, or as many in a row as no telephone number has. */
const longNumber = /(?:\d[ -]?){13,}/;

function holdsSecret(sentence: string): boolean {
  return secretWords.test(sentence) || longNumber.test(sentence) || redact(sentence) !== sentence;
}

function isQuestion(sentence: string): boolean {
  return (
    /[?？]\s*$/u.test(sentence) ||
    /^(?:what|when|where|who|whose|which|why|how|do|does|did|is|are|was|were|can|could|would|will|should|shall|have|has|am)\b/iu.test(
      sentence,
    ) ||
    /(?:吗|嗎|呢|么)[。]?$|か[。]?$|(?:까|나요)[.]?$/u.test(sentence)
  );
}
