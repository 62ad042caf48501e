import type { CuratedLine } from "#contract/dreaming.ts";
import type { Now } from "#contract/ports.ts";
import type { KeptVersion, RestoreVersion, WorkspaceResult } from "#contract/workspace.ts";
import type { KeptText, WorkspaceStore } from "#contract/workspace-store.ts";
import { knownHash } from "./known-hash.ts";
import type { Ledger } from "./ledger.ts";
import type { WorkspaceWriter } from "./writer.ts";

/**
 * What a file was before. Bringing a version back is a change like any other, on the owner's word: what
 * it replaces is kept in its turn, and its lines are again what they were then, not the owner's.
 */
export interface Versions {
  /** Newest first. */
  list(path: string): Promise<KeptVersion[]>;
  read(path: string, id: string): Promise<KeptText | null>;
  /** Its lines and whose they were, as far as we have written them; all others are nobody's. */
  classified(path: string, id: string): Promise<CuratedLine[] | null>;
  /** Exactly once per operation id. */
  restore(request: RestoreVersion): Promise<WorkspaceResult>;
}

export function createVersions(ports: {
  readonly store: WorkspaceStore;
  readonly writer: WorkspaceWriter;
  readonly ledger: Pick<Ledger, "linesOf">;
  readonly now: Now;
}): Versions {
  const { store, writer, ledger, now } = ports;
  return {
    list: (path) => store.versions(path),
    read: (path, id) => store.readVersion(path, id),

    async classified(path, id) {
      const version = await store.readVersion(path, id);
      if (!version) return null;
      const known = await ledger.linesOf(path, version.text);
      return version.text
        .split("\n")
        .map((text) => ({ text, trust: known.get(knownHash(text))?.trust ?? "untrusted" }));
    },

    async restore({ operationId, path, id }) {
      const version = await store.readVersion(path, id);
      if (!version) return { ok: false, reason: "There is no such version of this file." };
      const { text, untrusted } = version;
      return await writer.apply({
        operationId,
        path,
        change: { type: "write", text },
        authority: { kind: "owner" },
        author: { trust: "untrusted", at: now() },
        restores: true,
        ...(untrusted ? { untrusted } : {}),
      });
    },
  };
}
