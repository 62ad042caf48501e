import { defineConfig } from "drizzle-kit";

/** Writes migrations/d1 from the schema. The SQL is applied at run time: see src/platform/d1/migrate.ts. */
export default defineConfig({
  dialect: "sqlite",
  schema: "./src/platform/d1/schema.ts",
  out: "./migrations/d1",
});
