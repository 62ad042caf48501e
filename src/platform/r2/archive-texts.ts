/**
 * What was archived of conversations, as JSONL: `agents/<id>/sessions/<conversation>/<context>/<part>.jsonl`.
 * Gone through a bounded part at a time, for forgetting; nothing else changes what was archived.
 */
export interface ArchiveTexts {
  /**
   * Changes the lines of some objects; `onChange` is called with the name of one before it is put. `next`: where
   * to go on; null = there are no more.
   */
  rewrite(
    after: string | null,
    change: (line: unknown) => unknown,
    onChange: (name: string) => void,
  ): Promise<{ readonly next: string | null }>;
}

const OBJECTS = 20;
const TRIES = 3;

export function createArchiveTexts(bucket: R2Bucket, agentId: string): ArchiveTexts {
  const prefix = `agents/${agentId}/sessions/`;
  return {
    async rewrite(after, change, onChange) {
      const start = after === null ? {} : { startAfter: after };
      const { objects, truncated } = await bucket.list({ prefix, limit: OBJECTS, ...start });
      for (const { key } of objects) {
        const rewrite = () => rewriteOne(bucket, key, { change, onChange: () => onChange(key) });
        for (let tries = 1; !(await rewrite()); tries += 1) {
          if (tries === TRIES) throw new Error("an archive is written anew all the time");
        }
      }
      return { next: truncated ? (objects.at(-1)?.key ?? null) : null };
    },
  };
}

/** False: somebody has written it meanwhile, so that ours was refused. */
async function rewriteOne(
  bucket: R2Bucket,
  key: string,
  { change, onChange }: { change: (line: unknown) => unknown; onChange: () => void },
): Promise<boolean> {
  const object = await bucket.get(key);
  if (!object) return true;
  const old = await object.text();
  const text = old
    .split("\n")
    .map((line) => changedLine(line, change))
    .join("\n");
  if (text === old) return true;
  onChange();
  const stored = await bucket.put(key, text, {
    onlyIf: { etagMatches: object.etag },
    ...(object.httpMetadata ? { httpMetadata: object.httpMetadata } : {}),
    ...(object.customMetadata ? { customMetadata: object.customMetadata } : {}),
  });
  return stored !== null;
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
