import type { FetchedMedia } from "#contract/channel.ts";

/**
 * Files that came with messages or leave with them, by key. Whole in memory: the channels bound their
 * size well below what an isolate can hold.
 */
export interface R2MediaStore {
  put(key: string, media: FetchedMedia): Promise<void>;
  get(key: string): Promise<FetchedMedia | null>;
}

export function createMediaStore(bucket: R2Bucket): R2MediaStore {
  return {
    async put(key, media) {
      await bucket.put(key, media.bytes, {
        httpMetadata: { contentType: media.mimeType },
        customMetadata: { name: encodeURIComponent(media.name).slice(0, 1_000) },
      });
    },
    async get(key) {
      const object = await bucket.get(key);
      if (!object) return null;
      return {
        bytes: new Uint8Array(await object.arrayBuffer()),
        mimeType: object.httpMetadata?.contentType ?? "application/octet-stream",
        name: decodeURIComponent(object.customMetadata?.["name"] ?? "file"),
      };
    },
  };
}
