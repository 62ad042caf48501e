import type { EvidenceStore } from "#contract/evidence-store.ts";
import { listAll } from "./list.ts";

/** EvidenceStore in R2: `agents/<id>/.pagurus/evidence/<name>`. */
export function createEvidenceStore(bucket: R2Bucket, agentId: string): EvidenceStore {
  const root = `agents/${agentId}/.pagurus/evidence/`;
  return {
    async names() {
      const { objects } = await listAll(bucket, { prefix: root });
      return objects.map(({ key }) => key.slice(root.length));
    },
    async get(name) {
      const object = await bucket.get(root + name);
      return object ? object.text() : null;
    },
    async put(name, text) {
      await bucket.put(root + name, text);
    },
    async remove(name) {
      await bucket.delete(root + name);
    },
  };
}
