import type { WorkspaceStore } from "#contract/workspace-store.ts";
import type { Forgetter } from "#kit/text/forget-text.ts";
import type { WorkspaceReader } from "./reader.ts";

/**
 * Lines of any files of a workspace that say a fact, as `path:line`: whole lines, however long, and some files
 * at a time. Not grep, which is for models and people and may leave out what there is too much of.
 */
export interface SayingPage {
  readonly lines: readonly string[];
  /** The path to go on after; null = these were all. */
  readonly next: string | null;
}

const FILES = 200;
const BYTES = 16_000_000;

export async function linesSaying(
  ports: {
    readonly store: Pick<WorkspaceStore, "etags">;
    readonly reader: Pick<WorkspaceReader, "read">;
  },
  { finds }: Pick<Forgetter, "finds">,
  after: string | null,
): Promise<SayingPage> {
  const all = (await ports.store.etags("")).map(({ path }) => path);
  const left = all.filter((path) => after === null || path > after);
  const found: string[] = [];
  let bytes = 0;
  for (const [index, path] of left.entries()) {
    if (index === FILES || bytes > BYTES) return { lines: found, next: left[index - 1] ?? null };
    const file = await ports.reader.read(path);
    bytes += file?.text.length ?? 0;
    for (const [line, text] of (file?.text ?? "").split("\n").entries()) {
      if (finds(text)) found.push(`${path}:${line + 1}`);
    }
  }
  return { lines: found, next: null };
}
