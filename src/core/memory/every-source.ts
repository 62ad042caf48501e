import type { ListedSource, SourcePage } from "#contract/memory-index.ts";

/**
 * All sources, page by page to the last one. For what happens once a night or on an owner's word; whatever
 * comes with messages goes a page at a time.
 */
export async function everySource(list: List): Promise<ListedSource[]> {
  const found: ListedSource[] = [];
  for (let after: string | null = ""; after !== null;) {
    const page: SourcePage = await list(after);
    found.push(...page.sources);
    after = page.next;
  }
  return found;
}

type List = (after: string) => Promise<SourcePage>;

const SAID = "sessions/";

/** Is everything from here on transcripts? */
export function isSaid(path: string): boolean {
  return path >= SAID;
}

/** Files and then transcripts, as one list; of few both at once, since a search waits for it. */
export function filesAndSaid(
  files: { readonly listMemory: List },
  said: { readonly list: List },
): List {
  return async (after) => {
    if (isSaid(after)) return said.list(after);
    const [page, transcripts] = await Promise.all([
      files.listMemory(after),
      after === "" ? said.list("") : null,
    ]);
    if (page.next !== null) return page;
    const { sources, next } = transcripts ?? (await said.list(""));
    return { sources: [...page.sources, ...sources], next };
  };
}
