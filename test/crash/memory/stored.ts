import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** All that the objects keep, as text, read while the Worker does not run. */
export function storedTexts(directory: string): string {
  return ["pagurus-AgentDO", "pagurus-SessionDO"]
    .flatMap((name) => databasesIn(join(directory, "do", name)).map(textOf))
    .join("\n");
}

function databasesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
    .map((name) => join(folder, name));
}

function textOf(path: string): string {
  const database = new DatabaseSync(path);
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name))
      // The runtime's own.
      .filter((name) => !/^(?:_cf_|sqlite_)/.test(name));
    return tables
      .map((name) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()))
      .join("\n");
  } finally {
    database.close();
  }
}
