/**
 * What was archived of conversations, as JSONL: `agents/<id>/sessions/<conversation>/<context>/<part>.jsonl`.
 * Gone through a bounded part at a time, for forgetting; nothing else changes what was archived.
 */
export interface ArchiveTexts {
  /** Changes the lines of some objects. `next`: where to go on; null = there are no more. */
  rewrite(
    after: string | null,
    change: (line: unknown) => unknown,
  ): Promise<{ readonly changed: number; readonly next: string | null }>;
}

const OBJECTS = 20;

export function createArchiveTexts(bucket: R2Bucket, agentId: string): ArchiveTexts {
  const prefix = `agents/${agentId}/sessions/`;
  return {
    async rewrite(after, change) {
      const start = after === null ? {} : { startAfter: after };
      const { objects, truncated } = await bucket.list({ prefix, limit: OBJECTS, ...start });
      let changed = 0;
      for (const { key } of objects) changed += (await rewriteOne(bucket, key, change)) ? 1 : 0;
      return { changed, next: truncated ? (objects.at(-1)?.key ?? null) : null };
    },
  };
}

async function rewriteOne(
  bucket: R2Bucket,
  key: string,
  change: (line: unknown) => unknown,
): Promise<boolean> {
  const object = await bucket.get(key);
  if (!object) return false;
  const old = await object.text();
  const text = old
    .split("\n")
    .map((line) => changedLine(line, change))
    .join("\n");
  if (text === old) return false;
  // Somebody else's version in between would be an archive written anew: the next pass finds it.
  await bucket.put(key, text, {
    onlyIf: { etagMatches: object.etag },
    ...(object.httpMetadata ? { httpMetadata: object.httpMetadata } : {}),
    ...(object.customMetadata ? { customMetadata: object.customMetadata } : {}),
  });
  return true;
}

function changedLine(line: string, change: (line: unknown) => unknown): string {
  try {
    const value: unknown = JSON.parse(line);
    const next = change(value);
    return next === value ? line : JSON.stringify(next);
  } catch {
    return String(change(line));
  }
}
