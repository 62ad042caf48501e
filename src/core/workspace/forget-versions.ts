import type { WorkspaceStore } from "#contract/workspace-store.ts";
import { withoutForgotten } from "#core/memory/forgotten.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { goneFrom, type ForgetPart, type ForgetPorts } from "./forget-part.ts";

/** Facts go out of what is kept of files that were overwritten, and out of the ledger. True: that was all. */
export async function forgetInVersions(ports: ForgetPorts, part: ForgetPart): Promise<boolean> {
  const { state } = part;
  for (;;) {
    const { paths, more } = await nextPaths(ports, state.after);
    part.calls -= 2;
    for (const path of paths) {
      if (part.calls <= 0) return false;
      if (path.endsWith(".md")) await forgetInVersionsOf(ports, part, path);
      state.after = path;
    }
    if (!more) return true;
  }
}

/** Of versions and ledger together. What lies behind the end of either list is not of this part yet. */
async function nextPaths({ store, ledgerStore }: ForgetPorts, after: string | null) {
  const lists = await Promise.all([store.versionedPaths(after), ledgerStore.paths(after)]);
  const ends = lists.flatMap(({ paths, more }) => (more ? (paths.at(-1) ?? []) : []));
  const all = new Set(lists.flatMap(({ paths }) => paths));
  const paths = [...all].filter((path) => ends.every((end) => !isBehind(path, end)));
  return { paths: paths.toSorted((a, b) => (isBehind(a, b) ? 1 : -1)), more: ends.length > 0 };
}

/** As storage orders the folders that have these names. */
function isBehind(path: string, other: string): boolean {
  return `${path}/` > `${other}/`;
}

/**
 * The ledger goes first: an entry finds its version by the hash of the text that the version will have,
 * which only the old text tells.
 */
async function forgetInVersionsOf(
  { store, ledger }: ForgetPorts,
  part: ForgetPart,
  path: string,
): Promise<void> {
  const { state, request } = part;
  const rewritten = await rewrittenVersions(store, part, path);
  for (const { id, removed } of rewritten) {
    state.versions = [...new Set([...state.versions, `${path}/${id}`])];
    state.hashes = [...new Set([...state.hashes, ...removed.map(lineHash)])];
  }
  if (rewritten.length > 0) part.save();
  const texts = new Map(rewritten.map(({ old, text }) => [sha256Hex(old), sha256Hex(text)]));
  const hashes = new Set([...request.hashes, ...state.hashes]);
  const entries = await ledger.forget(path, { hashes, texts });
  for (const { id, text } of rewritten) await store.rewriteVersion(path, id, text);
  part.calls -= 1 + entries + 3 * rewritten.length;
}

async function rewrittenVersions(store: WorkspaceStore, part: ForgetPart, path: string) {
  const isGone = goneFrom(path, part);
  const found: { id: string; old: string; text: string; removed: readonly string[] }[] = [];
  const versions = await store.versions(path);
  part.calls -= 1 + versions.length;
  for (const { id } of versions) {
    const version = await store.readVersion(path, id);
    if (!version) continue;
    const { text, removed } = withoutForgotten(version.text, isGone);
    if (removed.length > 0) found.push({ id, old: version.text, text, removed });
  }
  return found;
}
