type Exec = SqlStorage["exec"];

/**
 * Rows that SQLite says were read while the work ran, in whatever Durable Object of this isolate. `sql` is
 * any object's: what is counted hangs on what all of them have in common.
 */
export async function countedRows(sql: SqlStorage, work: () => Promise<void>): Promise<number> {
  const cursors: { readonly rowsRead: number }[] = [];
  const common = Object.getPrototypeOf(sql) as { exec: Exec };
  const real = common.exec;
  common.exec = function exec(this: SqlStorage, ...parameters: Parameters<Exec>) {
    const cursor = real.apply(this, parameters);
    cursors.push(cursor);
    return cursor;
  } as Exec;
  try {
    await work();
  } finally {
    common.exec = real;
  }
  return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
}
