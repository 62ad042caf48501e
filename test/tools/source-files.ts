import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file of code in the tree, wherever it lies, so that nothing escapes the rules by being put in
 * a new folder. What git knows or would add; in a copy without git, what a walk finds outside of
 * folders that hold only generated or foreign files.
 */
const code = /\.[cm]?[jt]sx?$/;
const notOurs = new Set(["node_modules", "build", "dist", "coverage", "worker-configuration.d.ts"]);

/** Paths from `root` on, with slashes. */
export function sourceFiles(root: string): string[] {
  const listed = listByGit(root);
  const paths = listed.length > 0 ? listed : walk(root, "");
  return paths.filter((path) => code.test(path)).toSorted();
}

function listByGit(root: string): string[] {
  const command = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  try {
    const output = execFileSync("git", command, { cwd: root, encoding: "utf8", stdio: "pipe" });
    // A file that was removed but not yet from the index is still listed.
    return output.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  } catch {
    return [];
  }
}

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name) || entry.name.startsWith(".")) return [];
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? walk(root, path) : [path];
  });
}
