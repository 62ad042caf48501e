import { stripNotes } from "./entry-notes.ts";

/**
 * What of a line is a fact. Lines that say nothing (blank ones, rules, entry notes alone, the date our
 * code writes above a day) have no author: they take the class of their surroundings, so that they
 * neither raise nor lower it.
 */
const dateHeading = /^#{1,6}\s+\d{4}-\d{2}-\d{2}$/;

export function carriesFact(line: string): boolean {
  const text = stripNotes(line).trim();
  return /[\p{L}\p{N}\p{S}]/u.test(text) && !dateHeading.test(text);
}

/** List marker, check box, quotation and clock time, in the forms our own notes and people use. */
const opening =
  /^\s*(?:>\s*)?(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:\[?\d{2}:\d{2}\]?\s+)?/u;
const speaker = /^(?:(?:owner|assistant|other):|\[from outside\])\s+/;

/** What a line says, without what only sets it: the same fact in a note, a list and a transcript. */
export function factText(line: string): string {
  const bare = stripNotes(line.normalize("NFC")).replace(opening, "").replace(speaker, "").trim();
  const quoted = /^"(.*)"$/.exec(bare);
  return quoted?.[1] ?? bare;
}
