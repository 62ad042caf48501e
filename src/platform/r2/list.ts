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
