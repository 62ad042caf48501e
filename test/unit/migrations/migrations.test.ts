import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { agentMigrations } from "#migrations/agent/index.ts";
import { d1Migrations } from "#migrations/d1/index.ts";
import { sessionMigrations } from "#migrations/session/index.ts";

/** The hand-kept lists against the files that drizzle-kit wrote. */
describe.each([
  ["agent", agentMigrations],
  ["d1", d1Migrations],
  ["session", sessionMigrations],
])("migrations/%s", (folder, migrations) => {
  const files = readdirSync(`migrations/${folder}`).filter((name) => name.endsWith(".sql"));

  test("lists every file once, in order, under its own name", () => {
    expect(migrations.map((migration) => migration.name)).toEqual(files.toSorted());
    for (const { name, sql } of migrations) {
      expect(sql).toBe(readFileSync(`migrations/${folder}/${name}`, "utf8"));
    }
  });

  test("agrees with the journal of drizzle-kit", () => {
    const journal: { entries: { tag: string }[] } = JSON.parse(
      readFileSync(`migrations/${folder}/meta/_journal.json`, "utf8"),
    );
    const names = journal.entries.map((entry) => `${entry.tag}.sql`);
    expect(migrations.map((migration) => migration.name)).toEqual(names);
  });
});
