import type { PathPage } from "#contract/workspace-store.ts";

/** Listing in R2, page by page up to a bound: some calls a list may cost, but not any number. */
const PAGE = 1_000;
const MAX_PAGES = 5;

export interface Pages {
  readonly objects: R2Object[];
  readonly folders: string[];
  readonly truncated: boolean;
}

export async function listAll(bucket: R2Bucket, options: R2ListOptions): Promise<Pages> {
  const objects: R2Object[] = [];
  const folders: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const found = await bucket.list({ ...options, limit: PAGE, ...(cursor ? { cursor } : {}) });
    objects.push(...found.objects);
    folders.push(...found.delimitedPrefixes);
    if (!found.truncated) return { objects, folders, truncated: false };
    cursor = found.cursor;
  }
  return { objects, folders, truncated: true };
}

/** A single call: what lies behind a key, in the order of the keys. */
export async function listPage(
  bucket: R2Bucket,
  prefix: string,
  startAfter: string | null,
): Promise<{ readonly objects: readonly R2Object[]; readonly more: boolean }> {
  const start = startAfter === null ? {} : { startAfter };
  const { objects, truncated } = await bucket.list({ prefix, limit: PAGE, ...start });
  // Without a last key there would be nothing to go on after, and the rest would be left out in silence.
  if (truncated && objects.length === 0)
    throw new Error("a listing gave nothing, and said there is more");
  return { objects, more: truncated };
}

/** Names below `root` of folders whose objects begin with a digit, after one of them: a single call. */
export async function listFolders(
  bucket: R2Bucket,
  root: string,
  after: string | null,
): Promise<PathPage> {
  const start = after === null ? {} : { startAfter: `${root}${after}/:` };
  const { objects, truncated } = await bucket.list({ prefix: root, limit: PAGE, ...start });
  const paths = objects.map(({ key }) => key.slice(root.length, key.lastIndexOf("/")));
  return { paths: [...new Set(paths)], more: truncated };
}
