import { carriesFact } from "#core/memory/fact-line.ts";
import { knownHash } from "./known-hash.ts";
import { defaultFiles } from "./default-files.ts";

/**
 * Lines that a new workspace's files come with. They are the product's own text and no memory, whoever
 * is said to have written the file they stand in; filled in ("- Call them: Ada") they are other lines.
 */
const known = new Map<string, ReadonlySet<string>>();

export function isTemplateLine(path: string, line: string): boolean {
  let hashes = known.get(path);
  if (!hashes) {
    const text = defaultFiles.find((file) => file.path === path)?.text ?? "";
    hashes = new Set(text.split("\n").filter(carriesFact).map(knownHash));
    known.set(path, hashes);
  }
  return hashes.has(knownHash(line));
}
