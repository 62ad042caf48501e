import { randomBytes, randomInt } from "node:crypto";

/**
 * Names, words and ids made at run time, so that nothing can be hard-coded against a test. A word has
 * only small letters: no mark-up changes it, none is part of another, and it is found again wherever
 * it turns up. None holds "ok", which is what a model says that was given no script.
 */
const syllables = [
  "ba",
  "de",
  "fi",
  "go",
  "hu",
  "la",
  "me",
  "ni",
  "po",
  "ru",
  "sa",
  "te",
  "vo",
  "zu",
];

export function newWord(): string {
  return [...randomBytes(8)].map((byte) => syllables[byte % syllables.length]).join("");
}

export function newName(): string {
  const word = newWord().slice(0, 6);
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** A whole number from 1 with so many digits. */
export function newNumber(digits: number): number {
  return randomInt(10 ** (digits - 1), 10 ** digits);
}

/** Capitals and digits, as some platforms write their ids. */
export function newCode(length: number): string {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789";
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
}
