import initial from "./0000_initial.sql";
import retention from "./0001_retention.sql";
import unreported from "./0002_unreported.sql";

/** The migrations of SessionDO, oldest first. drizzle-kit writes the files, this list is kept by hand. */
export const sessionMigrations = [
  { name: "0000_initial.sql", sql: initial },
  { name: "0001_retention.sql", sql: retention },
  { name: "0002_unreported.sql", sql: unreported },
];
