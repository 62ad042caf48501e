import type { WorkspaceStore } from "#contract/workspace-store.ts";
import { listAll, listFolders } from "./list.ts";

/**
 * What was overwritten, in R2: `agents/<id>/.pagurus/versions/<path>/<time>-<etag>`, beside the
 * workspace, where no path of a tool can lead. The name says which version it is, so that keeping it
 * twice changes nothing, and in which order they were written.
 */
const VERSIONS = 20;

type VersionStore = Pick<
  WorkspaceStore,
  "keepVersion" | "pruneVersions" | "versions" | "readVersion" | "versionedPaths" | "rewriteVersion"
>;

export function createVersionStore(bucket: R2Bucket, agentId: string): VersionStore {
  const root = `agents/${agentId}/.pagurus/versions/`;
  const folder = (path: string) => `${root}${path}/`;
  const inFolder = async (path: string) =>
    (await listAll(bucket, { prefix: folder(path), delimiter: "/" })).objects;

  async function put(key: string, text: string, untrusted: boolean): Promise<void> {
    await bucket.put(key, text, {
      httpMetadata: { contentType: "text/markdown; charset=utf-8" },
      customMetadata: untrusted ? { untrusted: "1" } : {},
    });
  }

  return {
    async keepVersion({ path, text, etag, modifiedAt, untrusted }) {
      const stamp = String(modifiedAt).padStart(15, "0");
      await put(`${folder(path)}${stamp}-${etag}`, text, untrusted);
    },
    async pruneVersions(path) {
      const old = (await inFolder(path)).slice(0, -VERSIONS).map((object) => object.key);
      if (old.length > 0) await bucket.delete(old);
    },
    async versions(path) {
      const objects = await inFolder(path);
      return objects.toReversed().map(({ key, size }) => {
        const id = key.slice(folder(path).length);
        return { id, size, at: Number.parseInt(id, 10) || 0 };
      });
    },
    async readVersion(path, id) {
      if (!isVersionId(id)) return null;
      const object = await bucket.get(folder(path) + id);
      const untrusted = object?.customMetadata?.["untrusted"] === "1";
      return object && { text: await object.text(), untrusted };
    },
    versionedPaths: (after) => listFolders(bucket, root, after),
    async rewriteVersion(path, id, text) {
      const key = folder(path) + id;
      const object = await bucket.head(key);
      if (object) await put(key, text, object.customMetadata?.["untrusted"] === "1");
    },
  };
}

/** Names of ours only: whatever else a caller hands in leads nowhere. */
function isVersionId(id: string): boolean {
  return /^\d{15}-[\w"-]{1,100}$/.test(id);
}
