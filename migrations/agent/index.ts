import initial from "./0000_initial.sql";

/** The migrations of AgentDO, oldest first. drizzle-kit writes the files, this list is kept by hand. */
export const agentMigrations = [{ name: "0000_initial.sql", sql: initial }];
