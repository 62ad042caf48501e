import documents from "./0003_documents.sql";
import initial from "./0000_initial.sql";
import intents from "./0002_intents.sql";
import lanesInMemory from "./0001_lanes_in_memory.sql";
import pinnedSessions from "./0005_pinned_sessions.sql";
import sessionsPutAway from "./0004_sessions_put_away.sql";

/** The migrations of AgentDO, oldest first. drizzle-kit writes the files, this list is kept by hand. */
export const agentMigrations = [
  { name: "0000_initial.sql", sql: initial },
  { name: "0001_lanes_in_memory.sql", sql: lanesInMemory },
  { name: "0002_intents.sql", sql: intents },
  { name: "0003_documents.sql", sql: documents },
  { name: "0004_sessions_put_away.sql", sql: sessionsPutAway },
  { name: "0005_pinned_sessions.sql", sql: pinnedSessions },
];
