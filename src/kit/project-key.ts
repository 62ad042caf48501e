import { err, ok, type Result } from "#contract/result.ts";

/**
 * Projects: what entries may be scoped to. A key is a repository's address in one spelling
 * or a folder's name. Which of them a conversation is about is kept with it, the latest used first.
 */
const MAX_ACTIVE_PROJECTS = 4;

const folder = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;
const repository =
  /^[a-z0-9](?:[a-z0-9-]*\.)*[a-z0-9-]*[a-z0-9](?:\/(?!\.+(?:\/|$))[\p{L}\p{N}._~-]+){1,6}$/u;

/** `git@host:owner/name.git`, `https://host/owner/name/` and `host/owner/name` are the same project. */
export function projectKey(text: string): Result<string, string> {
  const plain = text
    .trim()
    .normalize("NFC")
    .toLowerCase()
    .replace(/^git@([^:/]+):/, "$1/")
    .replace(/^(?:https?|ssh|git):\/\/(?:[^@/]*@)?/, "")
    .replace(/^projects\//, "")
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/^www\./, "");
  if (plain.length <= 200 && (folder.test(plain) || repository.test(plain))) return ok(plain);
  return err(
    `"${text.slice(0, 80)}" is no project: use a folder's name (letters, digits, . _ -) or the address of a repository.`,
  );
}

/** The latest used first; the one not used for longest gives way. */
export function useProject(active: readonly string[], key: string): string[] {
  return [key, ...active.filter((each) => each !== key)].slice(0, MAX_ACTIVE_PROJECTS);
}

/** The project a workspace path lies in; null = none. */
export function projectOfPath(path: string): string | null {
  const name = /^projects\/([^/]+)\//.exec(path)?.[1];
  if (name === undefined) return null;
  const key = projectKey(name);
  return key.ok ? key.value : null;
}
