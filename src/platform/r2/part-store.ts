/**
 * Parts of a transcript that have left its conversation's own storage, as JSONL:
 * `agents/<id>/sessions/<conversation>/parts/<number of the first entry>.jsonl`, where forgetting finds them,
 * too (archive-texts.ts). Only that conversation's object puts them there.
 */
export interface R2PartStore {
  put(first: number, text: string): Promise<void>;
  get(first: number): Promise<string | null>;
  list(after: number): Promise<number[]>;
}

/** So that the order of names is the order of entries. */
const DIGITS = 12;
const LISTED = 1_000;

export function createPartStore(
  bucket: R2Bucket,
  agentId: string,
  sessionKey: string,
): R2PartStore {
  const prefix = `agents/${agentId}/sessions/${encodeURIComponent(sessionKey)}/parts/`;
  const nameOf = (first: number) => `${prefix}${String(first).padStart(DIGITS, "0")}.jsonl`;

  return {
    async put(first, text) {
      await bucket.put(nameOf(first), text, {
        httpMetadata: { contentType: "application/jsonl; charset=utf-8" },
      });
    },
    async get(first) {
      return (await bucket.get(nameOf(first)))?.text() ?? null;
    },
    async list(after) {
      const { objects } = await bucket.list({ prefix, startAfter: nameOf(after), limit: LISTED });
      return objects
        .map(({ key }) => Number(/(\d+)\.jsonl$/.exec(key)?.[1]))
        .filter((first) => Number.isInteger(first));
    },
  };
}
