/**
 * Empties the tables of a conversation that was put away of what is done: nobody delivers it again or asks
 * for it. Like forgetting, the exception to one writer a table. Bounded by what a week leaves behind.
 */
const done = [
  "DELETE FROM inbox WHERE status = 'done' AND received_at < ?",
  "DELETE FROM journal WHERE at < ?",
  "DELETE FROM outbox WHERE status NOT IN ('prepared', 'sending') AND at < ?",
  "DELETE FROM turn WHERE ended_at IS NOT NULL AND ended_at < ?",
] as const;

export function clearDone(storage: DurableObjectStorage, before: number): void {
  for (const statement of done) storage.sql.exec(statement, before);
}
