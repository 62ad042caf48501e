import { parts, type Part } from "#contract/memory-index.ts";
import { readSegments } from "./memory-segments.ts";
import { migrateD1 } from "./migrate.ts";
import { wordsTable } from "./memory-words.ts";

/**
 * Takes the words of what was removed out of the full-text tables, which only mark them as gone. SQLite's own
 * `secure-delete` does not reach tables without content, so all that is there is merged, which leaves out what
 * is marked. A table is as large as the notes of all agents together: so many pages of it a step, and others
 * may write in between; what they write is not waited for.
 */
const PAGES = 1_000;

interface Place {
  readonly part: Part;
  /** Segments up to this origin are merged into one; null = to begin. */
  readonly upTo: number | null;
  /** A merge that had begun before the removal may carry some of the words with it: then all is merged twice. */
  readonly again: boolean;
}

/** One step. The cursor of the next one; null = nothing of what was removed before the first one is left. */
export async function eraseStep(
  database: D1Database,
  cursor: string | null,
  pages = PAGES,
): Promise<string | null> {
  await migrateD1(database);
  let place: Place | null = placeOf(cursor);
  // Nothing to do in a table is no step.
  for (let isIdle = true; place !== null && isIdle;) {
    ({ place, isIdle } = await mergeSome(database, place, pages));
  }
  return place && `${place.part} ${place.upTo ?? "-"} ${place.again ? "again" : "once"}`;
}

function placeOf(cursor: string | null): Place {
  const [name, upTo = "-", again] = (cursor ?? "").split(" ");
  const part = parts.find((each) => each === name) ?? parts[0];
  // Absent: it is the first look at the first table.
  return {
    part,
    upTo: upTo === "-" ? null : Number(upTo),
    again: cursor === null || again === "again",
  };
}

async function mergeSome(
  database: D1Database,
  place: Place,
  pages: number,
): Promise<{ readonly place: Place | null; readonly isIdle: boolean }> {
  const { part } = place;
  const { before, after, isIdle } = await merge(database, place, pages);
  const upTo = place.upTo ?? Math.max(0, ...before.origins.map(([, last]) => last));
  const again = place.upTo === null ? place.again && before.isMerging : place.again;
  const old = after.origins.filter(([first]) => first <= upTo);
  const isWhole = old.length <= 1 || (isIdle && place.upTo === null);
  if (!isWhole) return { place: { part, again, upTo: isIdle ? null : upTo }, isIdle: false };
  if (again) return { place: { part, upTo: null, again: false }, isIdle };
  const next = parts[parts.indexOf(part) + 1];
  return { place: next ? { part: next, upTo: null, again: true } : null, isIdle };
}

/** To begin is to choose all segments, of whatever size: so the negative number asks for it. */
async function merge(database: D1Database, { part, upTo }: Place, pages: number) {
  const table = wordsTable(part);
  // Not bound: a bound number is a real one, for which options are refused.
  const set = (option: "usermerge" | "merge", value: number) =>
    database.prepare(`INSERT INTO ${table}(${table}, rank) VALUES ('${option}', ${value})`);
  const segments = database.prepare(`SELECT block FROM ${table}_data WHERE id = 10`);
  const [, first, , second] = await database.batch<{ block: number[] }>([
    // Also few segments are worth a merge; only this command goes by it.
    set("usermerge", 2),
    segments,
    set("merge", upTo === null ? -pages : pages),
    segments,
  ]);
  const [old, current] = [first, second].map((found) => found?.results[0]?.block ?? []);
  const read = (record: readonly number[] = []) => readSegments(Uint8Array.from(record));
  return {
    before: read(old),
    after: read(current),
    isIdle: old?.join() === current?.join(),
  };
}
