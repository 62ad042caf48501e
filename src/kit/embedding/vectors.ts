import { err, ok, type Result } from "#contract/result.ts";
import { unitVector } from "#kit/vector/unit.ts";

/** What a service answered, checked: as many vectors as texts, all of the right length, all finite. */
export interface Expected {
  readonly count: number;
  readonly dimensions: number;
}

/** Unit vectors in the same order. The error is part of a sentence about the service. */
export function checkVectors(
  rows: readonly (readonly number[])[],
  { count, dimensions }: Expected,
): Result<Float32Array[], string> {
  if (rows.length !== count) return err(`answered ${rows.length} vectors to ${count} texts`);
  const vectors: Float32Array[] = [];
  for (const row of rows) {
    if (row.length !== dimensions) {
      return err(`answered a vector of ${row.length} dimensions where ${dimensions} are expected`);
    }
    const unit = unitVector(row);
    if (unit === null) return err("answered a vector without direction");
    vectors.push(unit);
  }
  return ok(vectors);
}

/** Services refuse blank texts and ones that are too long for the model; a token is at least a character here. */
const MAX_CHARACTERS = 5_000;

export function sendable(text: string): string {
  const trimmed = text.trim().toWellFormed();
  if (trimmed.length <= MAX_CHARACTERS) return trimmed;
  return trimmed.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
}
