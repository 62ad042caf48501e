import { drizzle, type DrizzleSqliteDODatabase } from "drizzle-orm/durable-sqlite";
import { agentMigrations } from "#migrations/agent/index.ts";
import { migrate } from "#platform/migrate.ts";

export type AgentDatabase = DrizzleSqliteDODatabase;

/** Opens the object's own SQLite with its present schema. Synchronous, like everything below it. */
export function openAgentDatabase(storage: DurableObjectStorage): AgentDatabase {
  migrate(storage, agentMigrations);
  return drizzle(storage);
}
