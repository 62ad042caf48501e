import { sql } from "drizzle-orm";
import { named, statement } from "#platform/statement.ts";
import { inbox } from "./schema.ts";

/** A conversation got another id: what is not done yet is answered there. */
export const moveOpenRows = statement((database) =>
  database
    .update(inbox)
    .set({ message: sql`json_set(message, '$.route.conversation', ${named("to")})` })
    .where(
      sql`status <> 'done' and json_extract(message, '$.route.channel') = ${named("channel")} and json_extract(message, '$.route.conversation') = ${named("from")}`,
    ),
);
