/**
 * Which files of a workspace are the agent's memory, and how much is made of them. Spelling counts: a
 * file that is only nearly called MEMORY.md is a file like any other.
 */
export type MemoryPlaceKind = "curated" | "note";

/** In the order of their names. */
export const curatedFiles: readonly string[] = ["MEMORY.md", "USER.md"];

/** Null: no source of memory, so that no ledger is kept of it and nothing is recalled from it. */
export function memoryPlace(path: string): MemoryPlaceKind | null {
  if (curatedFiles.includes(path)) return "curated";
  // What dreaming says about its own work is not memory: it would dream of its dreams.
  if (path.startsWith("memory/dreaming/")) return null;
  return path.startsWith("memory/") && path.endsWith(".md") ? "note" : null;
}

export function isMemorySource(path: string): boolean {
  return memoryPlace(path) !== null;
}
