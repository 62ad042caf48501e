import type { ConfigProblem, Owner } from "#contract/runtime-config.ts";
import { parsePeer } from "#core/routing/identity.ts";

/**
 * OWNERS → ids. An entry that cannot be read makes nobody an owner and is reported; the others stand.
 * Handles ("@ada") are refused: on most platforms a name can pass to somebody else, an id cannot.
 */
export function readOwners(list: string | undefined): {
  readonly owners: readonly Owner[];
  readonly problems: readonly ConfigProblem[];
} {
  const entries = (list ?? "").split(",").map((entry) => entry.trim());
  const owners: Owner[] = [];
  const problems: ConfigProblem[] = [];
  for (const entry of entries.filter((text) => text !== "")) {
    const owner = parsePeer(entry);
    if (owner && !owner.id.startsWith("@")) owners.push(owner);
    else problems.push({ severity: "error", path: "OWNERS", message: fault(entry, owner) });
  }
  if (owners.length === 0) {
    const message =
      "no owner is set, so nobody is one; write channel:id, as the bot tells it to whoever writes to it";
    problems.push({ severity: "warning", path: "OWNERS", message });
  }
  return { owners, problems };
}

function fault(entry: string, owner: Owner | null): string {
  return owner === null
    ? `"${entry}" is not of the form channel:id and makes nobody an owner`
    : `"${entry}" is a handle, which can change hands; use the id`;
}
