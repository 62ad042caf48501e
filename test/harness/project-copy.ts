import { cpSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * The project as a fresh clone after `npm ci` has it: no settings, no state, a build folder of its own.
 * For commands that write where they run, so that they disturb neither the tree nor each other.
 */
const left = /^(\.(?!dev\.vars\.example$)|node_modules$|test$|bench$|docs$|dist$|coverage$)/;

export function copyProject(directory: string): void {
  for (const name of readdirSync(".")) {
    if (!left.test(name)) cpSync(name, join(directory, name), { recursive: true });
  }
  symlinkSync(join(process.cwd(), "node_modules"), join(directory, "node_modules"));
}
