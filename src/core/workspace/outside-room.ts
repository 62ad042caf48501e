import type { LineRecord } from "#contract/provenance.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { carriesFact } from "#core/memory/fact-line.ts";
import { byteLength } from "./apply-change.ts";
import { isForeignAppend } from "./copies.ts";
import { knownHash } from "./known-hash.ts";
import type { Step } from "./records.ts";

/**
 * How much of one note others may take. A note has an end, and who fills it from outside would leave no
 * room for what the owner says, today or on a day to come.
 */
export const OUTSIDE_BYTES = 65_536;

/** `records`: of the text after the step. Only what is appended under others' influence is refused. */
export function leavesRoom(
  { operation, after }: Step,
  records: ReadonlyMap<string, LineRecord>,
): Result<void, string> {
  if (!isForeignAppend(operation)) return ok(undefined);
  const size = outsideBytes(after, records);
  if (size <= OUTSIDE_BYTES) return ok(undefined);
  return err(
    `Nothing was added: with it ${size} bytes of the note would be from outside, and ${OUTSIDE_BYTES} is the most. The rest is kept free for the owner. Say it in fewer words, or in another file.`,
  );
}

/** Lines that say nothing take room, too. */
function outsideBytes(text: string, records: ReadonlyMap<string, LineRecord>): number {
  let bytes = 0;
  for (const line of text.split("\n")) {
    const trust = carriesFact(line) ? records.get(knownHash(line))?.trust : undefined;
    if (trust === undefined || trust === "untrusted") bytes += byteLength(line) + 1;
  }
  return bytes;
}
