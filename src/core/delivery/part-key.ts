import type { OutboxRow } from "#contract/outbox.ts";

/** The key of a part, whichever try of it the row is. */
export function partKey(row: Pick<OutboxRow, "key">): string {
  return row.key.replace(/:again:.*$/, "");
}
