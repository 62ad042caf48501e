import type { LedgerStore } from "#contract/ledger-store.ts";
import { listAll, listFolders } from "./list.ts";

/**
 * The provenance ledger of one agent in R2: `agents/<id>/.pagurus/provenance/<path>/<entry>.json`,
 * beside the workspace, where no path of a tool can lead. Entries of a path lie directly in its folder:
 * `memory/a.md/b.md`, should there be such a file, has a folder of its own in it.
 */
export function createLedgerStore(bucket: R2Bucket, agentId: string): LedgerStore {
  const root = `agents/${agentId}/.pagurus/provenance/`;
  const folder = (path: string) => `${root}${path}/`;

  return {
    async keys(path) {
      const prefix = folder(path);
      const { objects } = await listAll(bucket, { prefix, delimiter: "/" });
      return objects.map(({ key }) => key.slice(prefix.length));
    },
    async read(path, key) {
      return (await (await bucket.get(folder(path) + key))?.text()) ?? null;
    },
    async put(path, key, text) {
      await bucket.put(folder(path) + key, text, {
        httpMetadata: { contentType: "application/json" },
      });
    },
    async remove(path, keys) {
      await bucket.delete(keys.map((key) => folder(path) + key));
    },
    paths: (after) => listFolders(bucket, root, after),
  };
}
