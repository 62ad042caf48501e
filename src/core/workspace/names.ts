import type { WorkspaceEntry } from "#contract/workspace.ts";
import type { Origins } from "#contract/workspace-store.ts";

/**
 * Names of files are text that a model reads. One that only untrusted writes have made may be a sentence
 * that somebody outside thought of, so it counts as outside content wherever it is listed. Searching
 * needs none of this: a match in an untrusted file is untrusted, its path with it.
 */

/** The entry of `folder` that a path lies in ("b.md", "sub/"), or null if it lies elsewhere. */
export function nameBelow(folder: string, path: string): string | null {
  const prefix = folder === "" ? "" : `${folder}/`;
  if (!path.startsWith(prefix)) return null;
  const rest = path.slice(prefix.length);
  const slash = rest.indexOf("/");
  return slash < 0 ? rest : rest.slice(0, slash + 1);
}

/** Names that the program itself asks for; they say nothing. */
const ordinary = /^(memory\/|\d{4}-\d{2}-\d{2}(?:-[2-9])?\.md)$/;

/** Marks the entries of a folder whose names no trusted write stands behind. */
export function markNames(
  entries: readonly WorkspaceEntry[],
  folder: string,
  { files, truncated }: Origins,
): WorkspaceEntry[] {
  const trusted = new Set<string>();
  const untrusted = new Set<string>();
  for (const file of files) {
    const name = nameBelow(folder, file.path);
    if (name !== null) (file.untrusted ? untrusted : trusted).add(name);
  }
  return entries.map((entry) => {
    const { name } = entry;
    if (ordinary.test(name) || trusted.has(name)) return entry;
    return untrusted.has(name) || truncated ? { ...entry, untrusted: true } : entry;
  });
}

/** Whether an untrusted write may make a file of this name: one word for each part, not a sentence. */
export function isPlainPath(path: string): boolean {
  return path.split("/").every((part) => /^[\p{L}\p{M}\p{N}._-]{1,80}$/u.test(part));
}
