import initial from "./0000_initial.sql";

/** The migrations of SessionDO, oldest first. drizzle-kit writes the files, this list is kept by hand. */
export const sessionMigrations = [{ name: "0000_initial.sql", sql: initial }];
