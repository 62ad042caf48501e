import { defineConfig } from "drizzle-kit";

/** Writes migrations/agent from the schema. The SQL runs inside the object: see src/platform/migrate.ts. */
export default defineConfig({
  dialect: "sqlite",
  schema: "./src/platform/agent/schema.ts",
  out: "./migrations/agent",
});
