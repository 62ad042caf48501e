import type { TranscriptListing, TranscriptStore } from "#contract/transcript-store.ts";
import { listAll, listPage } from "./list.ts";

/**
 * What was said, in R2: `agents/<id>/.pagurus/transcripts/<conversation>/<day>.jsonl`, outside the reach of
 * any tool. Metadata says which conversation it is and with whom.
 */
const ending = ".jsonl";

export function createTranscriptStore(bucket: R2Bucket, agentId: string): TranscriptStore {
  const root = `agents/${agentId}/.pagurus/transcripts/`;
  const keyOf = (folder: string, part: string) => `${root}${folder}/${part}${ending}`;
  const listings = (objects: readonly R2Object[]): TranscriptListing[] =>
    objects.flatMap(({ key, etag }) => {
      const [of, name, ...rest] = key.slice(root.length).split("/");
      if (!of || !name?.endsWith(ending) || rest.length > 0) return [];
      return [{ folder: of, part: name.slice(0, -ending.length), etag }];
    });

  return {
    async list(folder) {
      const { objects } = await listAll(bucket, { prefix: `${root}${folder}/` });
      return listings(objects);
    },

    async page(after) {
      const start = after && keyOf(after.folder, after.part);
      const { objects, more } = await listPage(bucket, root, start);
      const found = listings(objects);
      const last = found.at(-1);
      // Nobody but us writes here: a page of nothing but strange names is no place to go on after.
      if (more && !last) throw new Error("transcripts cannot be listed: strange names among them");
      return { listings: found, next: more && last ? last : null };
    },

    async get({ folder, part }) {
      const object = await bucket.get(keyOf(folder, part));
      if (!object) return null;
      const { session = "", identity = "" } = object.customMetadata ?? {};
      return {
        folder,
        part,
        sessionKey: decode(session),
        identity: decode(identity),
        text: await object.text(),
        etag: object.etag,
        modifiedAt: object.uploaded.getTime(),
      };
    },

    async put({ folder, part, sessionKey, identity, text, expected }) {
      const object = await bucket.put(keyOf(folder, part), text, {
        onlyIf: expected === null ? { etagDoesNotMatch: "*" } : { etagMatches: expected },
        httpMetadata: { contentType: "application/jsonl; charset=utf-8" },
        customMetadata: {
          session: encodeURIComponent(sessionKey),
          identity: encodeURIComponent(identity),
        },
      });
      return object && { etag: object.etag };
    },
  };
}

/** Somebody else may have written the metadata. */
function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return "";
  }
}
