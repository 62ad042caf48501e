import type { Workspace } from "#contract/workspace.ts";

/**
 * The workspace in a conversation whose memory is off: its other files are there, but nothing of the
 * memory is read, found or written, whatever tool asks.
 */
const IS_OFF =
  "Memory is off in this conversation: its files are neither read nor written. The owner can switch it on with /memory on.";

export function withoutMemory(workspace: Workspace): Workspace {
  return {
    read: async (path) => (isMemory(path) ? null : workspace.read(path)),
    list: async (folder) => {
      if (isMemory(folder)) return [];
      const entries = await workspace.list(folder);
      const prefix = folder === "" ? "" : `${folder}/`;
      return entries.filter(({ name }) => !isMemory(prefix + name.replace(/\/$/, "")));
    },
    grep: async (query) => {
      if (isMemory(query.folder)) return { ok: true, matches: [], truncated: false };
      const result = await workspace.grep(query);
      if (!result.ok) return result;
      return { ...result, matches: result.matches.filter(({ path }) => !isMemory(path)) };
    },
    apply: async (operation) =>
      isMemory(operation.path) ? { ok: false, reason: IS_OFF } : workspace.apply(operation),
  };
}

/** In whatever case it is written: some stores fold it. */
function isMemory(path: string): boolean {
  return /^(?:memory(?:\/|$)|(?:memory|user|dreams)\.md$)/i.test(path);
}
