import type { UnreadableRow } from "#contract/session-store.ts";

interface Found extends UnreadableRow {
  /** Absent: the row is history, and nothing waits for it. */
  readonly close?: () => void;
}

/**
 * Rows that were met and whose JSON is not what this version stores: damaged, or of another version.
 * Reads leave them out; those that something waits for are closed by the core, in its own time.
 */
export class UnreadableRows {
  readonly #met = new Set<string>();
  readonly #open = new Map<string, Found>();
  readonly #report: (row: UnreadableRow) => void;

  constructor(report: (row: UnreadableRow) => void) {
    this.#report = report;
  }

  /** Reports each row once in the life of the object. */
  note(row: Found): null {
    const { table, id, close } = row;
    const name = `${table} ${id}`;
    if (!this.#met.has(name)) this.#report({ table, id });
    this.#met.add(name);
    if (close) this.#open.set(name, row);
    return null;
  }

  open(): UnreadableRow[] {
    return [...this.#open.values()].map(({ table, id }) => ({ table, id }));
  }

  close(): UnreadableRow[] {
    const rows = this.open();
    for (const { close } of this.#open.values()) close?.();
    this.#open.clear();
    return rows;
  }

  /** After a rollback: whoever reads such a row again notes it again. */
  forget(): void {
    this.#open.clear();
  }
}
