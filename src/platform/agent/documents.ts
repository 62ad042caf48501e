import { eq } from "drizzle-orm";
import type { Documents } from "#contract/dream-run.ts";
import { guardRow } from "#platform/session/row-limit.ts";
import type { AgentDatabase } from "./database.ts";
import { document } from "./schema.ts";

/** Documents in the SQLite of AgentDO. A value that does not fit a row throws when it is put. */
export function createDocuments(
  database: AgentDatabase,
  storage: Pick<DurableObjectStorage, "transactionSync">,
): Documents {
  return {
    get: (name) =>
      database.select().from(document).where(eq(document.name, name)).get()?.value ?? undefined,
    put(name, value) {
      guardRow(`the document ${name}`, value);
      database
        .insert(document)
        .values({ name, value })
        .onConflictDoUpdate({ target: document.name, set: { value } })
        .run();
    },
    remove(name) {
      database.delete(document).where(eq(document.name, name)).run();
    },
    transaction: (work) => storage.transactionSync(work),
  };
}
