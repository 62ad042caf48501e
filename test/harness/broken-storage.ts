import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Storage that fails, while the Worker does not run: the databases below a folder of the state become
 * garbage, so that whatever opens them throws. What was there can be put back.
 */
export const storage = {
  agents: "do/pagurus-AgentDO",
  sessions: "do/pagurus-SessionDO",
  database: "d1/miniflare-D1DatabaseObject",
  files: "r2/miniflare-R2BucketObject",
} as const;

/** Breaks them and returns how to mend them, also while the Worker does not run. */
export function breakStorage(directory: string, folders: readonly string[]): () => void {
  const broken = folders.flatMap((folder) => breakFolder(join(directory, folder)));
  if (broken.length === 0) throw new Error("there was nothing to break");
  return () => {
    for (const { path, copy } of broken) {
      forget(path);
      cpSync(copy, path);
      rmSync(copy);
    }
  };
}

function breakFolder(folder: string): { path: string; copy: string }[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  return names.map((name) => {
    const path = join(folder, name);
    const copy = `${path}.kept`;
    // Takes in what a kill has left in the log beside the file.
    const database = new DatabaseSync(path);
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    cpSync(path, copy);
    forget(path);
    writeFileSync(path, "garbage ".repeat(2048));
    return { path, copy };
  });
}

function forget(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
}
