import type { Config } from "#contract/config.ts";
import type { Owner } from "#contract/runtime-config.ts";
import { lowerCase } from "./key-part.ts";

/**
 * Who is who: ids of people, and the links between them that the operator wrote down. Being an owner
 * passes only over entries that name their channel: the same bare id on another channel may be
 * someone else, who must not inherit everything.
 */
export type IdentityLinks = Config["session"]["identityLinks"];

export interface Peer {
  readonly channel: string;
  readonly id: string;
  readonly caseSensitiveIds: boolean;
}

/**
 * The person a peer is linked to, or undefined. The first link in the document wins. Entries without
 * a channel count only where `bareIds` says so.
 */
export function linkedPerson(
  peer: Peer,
  links: IdentityLinks,
  bareIds: boolean,
): string | undefined {
  if (peer.id === "") return undefined;
  const found = Object.entries(links).find(([, entries]) =>
    entries.some((entry) => isQualified(entry, peer) || (bareIds && samePeerId(entry, peer))),
  );
  return found?.[0];
}

/** Is this person in OWNERS, directly or under another id of the same link? */
export function isOwner(peer: Peer, owners: readonly Owner[], links: IdentityLinks): boolean {
  if (peer.id === "") return false;
  const owns = (candidate: Peer) =>
    owners.some(
      (owner) =>
        lowerCase(owner.channel) === lowerCase(candidate.channel) &&
        samePeerId(owner.id, candidate),
    );
  if (owns(peer)) return true;
  return Object.values(links).some(
    (entries) =>
      entries.some((entry) => isQualified(entry, peer)) &&
      entries.some((entry) => {
        const other = parsePeer(entry);
        return other !== null && owns({ ...other, caseSensitiveIds: true });
      }),
  );
}

/** `channel:id`; null when either is missing. The id may itself contain ":". */
export function parsePeer(entry: string): { channel: string; id: string } | null {
  const match = /^\s*([A-Za-z][A-Za-z0-9_-]*):\s*(\S+)\s*$/.exec(entry);
  if (!match?.[1] || !match[2]) return null;
  return { channel: lowerCase(match[1]), id: match[2] };
}

/** Are these two spellings of an id the same on the peer's channel? */
export function samePeerId(id: string, peer: Peer): boolean {
  return peer.caseSensitiveIds ? id === peer.id : lowerCase(id) === lowerCase(peer.id);
}

function isQualified(entry: string, peer: Peer): boolean {
  const parsed = parsePeer(entry);
  return (
    parsed !== null && parsed.channel === lowerCase(peer.channel) && samePeerId(parsed.id, peer)
  );
}
