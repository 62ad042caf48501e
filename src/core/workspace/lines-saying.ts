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
    readonly store: Pick<WorkspaceStore, "page">;
    readonly reader: Pick<WorkspaceReader, "read">;
  },
  { finds }: Pick<Forgetter, "finds">,
  after: string | null,
): Promise<SayingPage> {
  const { files, more } = await ports.store.page("", after);
  const found: string[] = [];
  let bytes = 0;
  let looked = 0;
  for (const { path } of files) {
    if (looked === FILES || bytes > BYTES) break;
    const text = (await ports.reader.read(path))?.text ?? "";
    found.push(...saying(finds, path, text));
    bytes += text.length;
    looked += 1;
  }
  const isAll = looked === files.length && !more;
  return { lines: found, next: isAll ? null : (files[looked - 1]?.path ?? null) };
}

function saying(finds: Forgetter["finds"], path: string, text: string): string[] {
  return text.split("\n").flatMap((line, at) => (finds(line) ? [`${path}:${at + 1}`] : []));
}
