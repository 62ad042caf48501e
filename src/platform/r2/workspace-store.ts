import { MAX_FILE_BYTES } from "#contract/workspace.ts";
import type {
  Origins,
  StoredEntry,
  StoredFile,
  WalkedFiles,
  WorkspaceStore,
} from "#contract/workspace-store.ts";
import { listAll, listPage, type Pages } from "./list.ts";
import { createVersionStore } from "./version-store.ts";

/**
 * The workspace of one agent in R2: `agents/<id>/workspace/<path>`. Every put is conditional, so that
 * a lost update is an answer and not an accident. Metadata carries the operations of a version and
 * whether anything untrusted went into it; a file somebody put by other means has neither.
 */
export function createWorkspaceStore(bucket: R2Bucket, agentId: string): WorkspaceStore {
  const root = `agents/${agentId}/workspace/`;

  return {
    async get(path) {
      const object = await bucket.get(root + path);
      return object && storedFile(bucket, object, path);
    },

    async put({ path, text, untrusted, operations, expected, textHash }) {
      const object = await bucket.put(root + path, text, {
        onlyIf: expected === null ? { etagDoesNotMatch: "*" } : { etagMatches: expected },
        httpMetadata: { contentType: "text/markdown; charset=utf-8" },
        customMetadata: {
          operations: operations.map(encodeURIComponent).join(" "),
          ...(untrusted ? { untrusted: "1" } : {}),
          ...(textHash === undefined ? {} : { text: textHash }),
        },
      });
      return object && { etag: object.etag };
    },

    async list(folder) {
      const prefix = folderKey(root, folder);
      const pages = await listAll(bucket, { prefix, delimiter: "/" });
      const files: StoredEntry[] = pages.objects
        .filter((object) => object.key !== prefix)
        .map((object) => ({
          name: object.key.slice(prefix.length),
          size: object.size,
          etag: object.etag,
        }));
      const folders = pages.folders.map((key) => ({ name: key.slice(prefix.length), size: 0 }));
      return [...files, ...folders].sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    async origins(folder) {
      return originsIn(await listMarked(bucket, folderKey(root, folder)), root.length);
    },

    async walk(folder, limit) {
      const pages = await listAll(bucket, { prefix: folderKey(root, folder) });
      return newest(pages, root.length, limit);
    },

    async etag(path) {
      return (await bucket.head(root + path))?.etag ?? null;
    },

    async page(folder, after) {
      const start = after === null ? null : root + after;
      const { objects, more } = await listPage(bucket, folderKey(root, folder), start);
      const files = objects.map(({ key, etag }) => ({ path: key.slice(root.length), etag }));
      return { files, more };
    },

    ...createVersionStore(bucket, agentId),
  };
}

function folderKey(root: string, folder: string): string {
  return folder === "" ? root : `${root}${folder}/`;
}

async function storedFile(
  bucket: R2Bucket,
  object: R2ObjectBody,
  path: string,
): Promise<StoredFile> {
  const whole = object.size <= MAX_FILE_BYTES;
  const bytes = whole ? await object.bytes() : await beginning(bucket, object);
  const text = decode(bytes);
  const { untrusted, operations, text: textHash } = object.customMetadata ?? {};
  return {
    path,
    text: text ?? new TextDecoder().decode(bytes),
    etag: object.etag,
    size: object.size,
    modifiedAt: object.uploaded.getTime(),
    editable: whole && text !== null,
    untrusted: untrusted === "1",
    operations: operations ? operations.split(" ").map(decodeId) : [],
    ...(textHash === undefined ? {} : { textHash }),
  };
}

/** Somebody else may have written the metadata; what cannot be decoded is no id of ours. */
function decodeId(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

async function beginning(bucket: R2Bucket, object: R2ObjectBody): Promise<Uint8Array> {
  await object.body.cancel();
  const part = await bucket.get(object.key, { range: { offset: 0, length: MAX_FILE_BYTES } });
  return part ? await part.bytes() : new Uint8Array();
}

/** Null when the bytes are not UTF-8. A byte order mark stays, so that writing back changes nothing. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function listMarked(bucket: R2Bucket, prefix: string): Promise<Pages> {
  return listAll(bucket, { prefix, include: ["customMetadata"] });
}

function originsIn({ objects, truncated }: Pages, rootLength: number): Origins {
  const files = objects.map(({ key, customMetadata }) => ({
    path: key.slice(rootLength),
    untrusted: customMetadata?.["untrusted"] === "1",
  }));
  return { files, truncated };
}

/** What was changed lately is what somebody looks for; the answer is in the order of the paths. */
function newest(pages: Pages, rootLength: number, limit: number): WalkedFiles {
  const texts = pages.objects.filter(
    (object) => object.size <= MAX_FILE_BYTES && !binaryName.test(object.key),
  );
  const files = texts
    .toSorted((a, b) => b.uploaded.getTime() - a.uploaded.getTime())
    .slice(0, limit)
    .map((object) => ({ path: object.key.slice(rootLength), size: object.size }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, truncated: pages.truncated || texts.length > limit };
}

const binaryName =
  /\.(png|jpe?g|gif|webp|heic|pdf|zip|gz|mp[34]|m4a|mov|ogg|oga|opus|wav|webm|docx|xlsx|pptx)$/i;
