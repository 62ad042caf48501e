import { sha256Hex } from "#kit/sha256.ts";
import { stripNotes } from "./entry-notes.ts";

/**
 * By what a line of memory is found again, wherever it stands: its text in one Unicode form, without
 * the space around it and without entry notes, which may change while the fact stays. Never by number:
 * lines move.
 */
export function lineHash(line: string): string {
  return sha256Hex(stripNotes(line.normalize("NFC")).trim()).slice(0, 16);
}
