import type { TextsStore } from "#contract/session-store.ts";

/**
 * Changes texts that are stored already, table by table and a bounded part at a time. For forgetting alone:
 * everything else only ever adds. While it is at work no turn is, and nothing is being sent: what waits may be
 * changed. A command that waits stays what it is, and a row is left alone of which nobody knows whether it
 * was sent.
 */
const tables = [
  { name: "entry", columns: ["body"], closed: "true" },
  {
    name: "inbox",
    columns: ["message", "extra"],
    closed: "(status = 'done' or kind <> 'command')",
  },
  { name: "turn", columns: ["detail"], closed: "ended_at is not null" },
  { name: "journal", columns: ["input", "output"], closed: "true" },
  { name: "outbox", columns: ["part"], closed: "status <> 'sending'" },
] as const;

type Table = (typeof tables)[number];

const ROWS = 200;
/** What is in memory several times over while it is changed. */
const PART_BYTES = 4_000_000;

/** `forgetCached` is called when rows have changed: whoever remembers any must read them again. */
export function createTextsStore(
  storage: DurableObjectStorage,
  forgetCached: () => void,
): TextsStore {
  return {
    rewrite(after, change) {
      const place = placeOf(after);
      const [table, ...later] = tables.slice(place.table);
      if (!table) return { changed: 0, next: null };
      const { changed, last } = storage.transactionSync(() =>
        rewritePart(storage, table, place.row, change),
      );
      if (changed > 0) forgetCached();
      if (last !== null) return { changed, next: `${place.table}:${last}` };
      return { changed, next: later.length > 0 ? `${place.table + 1}:0` : null };
    },
  };
}

function placeOf(after: string | null): { readonly table: number; readonly row: number } {
  const [table = 0, row = 0] = (after ?? "").split(":").map(Number);
  return { table: Number.isInteger(table) ? table : 0, row: Number.isInteger(row) ? row : 0 };
}

/** `last`: where to go on; null = the table has no more. */
function rewritePart(
  storage: DurableObjectStorage,
  { name, columns, closed }: Table,
  after: number,
  change: (value: unknown) => unknown,
): { readonly changed: number; readonly last: number | null } {
  const rows = storage.sql.exec(
    `SELECT rowid AS id, ${columns.join(", ")} FROM ${name}
     WHERE rowid > ? AND ${closed} ORDER BY rowid LIMIT ${ROWS}`,
    after,
  );
  const changes: { id: number; texts: (string | null)[] }[] = [];
  let last: number | null = null;
  let [bytes, seen] = [0, 0];
  for (const row of rows) {
    const id = Number(row["id"]);
    const old = columns
      .map((column) => row[column])
      .map((text) => (typeof text === "string" ? text : null));
    const texts = old.map((text) => (text === null ? null : changedText(text, change)));
    if (texts.some((text, index) => text !== old[index])) changes.push({ id, texts });
    bytes += old.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    seen += 1;
    last = id;
    if (bytes > PART_BYTES) break;
  }
  const sets = columns.map((column) => `${column} = ?`).join(", ");
  for (const { id, texts } of changes) {
    storage.sql.exec(`UPDATE ${name} SET ${sets} WHERE rowid = ?`, ...texts, id);
  }
  const isAll = seen < ROWS && bytes <= PART_BYTES;
  return { changed: changes.length, last: isAll ? null : last };
}

/** The very text where nothing of it changes. What is no JSON is changed as it stands. */
function changedText(text: string, change: (value: unknown) => unknown): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return String(change(text));
  }
  const next = change(value);
  return next === value ? text : JSON.stringify(next);
}
