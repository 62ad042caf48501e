import type { MemoryKind } from "#contract/memory.ts";

/** What a path is to the memory: which kind of source, of which day; null = none at all. */
export interface SourceClass {
  readonly kind: MemoryKind;
  readonly date: string | null;
}

const curated: readonly string[] = ["MEMORY.md", "USER.md"];
/** What dreaming writes is for people; read back, it would feed on itself. */
const neverSource = /(^|\/)dreams\.md$|^memory\/dreaming\//i;
const dated = /(?:^|\/)(\d{4}-\d{2}-\d{2})(?:[-_][^/]*)?\.md$/;

export function sourceOf(path: string): SourceClass | null {
  if (curated.includes(path)) return { kind: "curated", date: null };
  if (neverSource.test(path) || !path.endsWith(".md")) return null;
  const date = dated.exec(path)?.[1] ?? null;
  if (path.startsWith("memory/")) return { kind: "note", date };
  if (path.startsWith("sessions/")) return { kind: "session", date };
  return null;
}
