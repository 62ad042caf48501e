import { defineConfig } from "drizzle-kit";

/** Writes migrations/session from the schema. The SQL runs inside the object: see src/platform/migrate.ts. */
export default defineConfig({
  dialect: "sqlite",
  schema: "./src/platform/session/schema.ts",
  out: "./migrations/session",
});
