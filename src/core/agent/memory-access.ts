import type { Config } from "#contract/config.ts";
import type { ReplyRoute, Sender } from "#contract/message.ts";
import { lowerCase } from "#core/routing/key-part.ts";
import { linkedPerson, parsePeer, samePeerId, type Peer } from "#core/routing/identity.ts";
import { onlyOwnersRead } from "./readers.ts";

/**
 * What of the agent's memory a place gets. One agent has one memory, of one person: it is there where
 * only owners read, and where `memory.shareWith` names who reads, who then may look but not write.
 */
export interface MemoryAccess {
  /** The files about the owner stand in the prompt. */
  readonly files: boolean;
  readonly read: boolean;
  readonly write: boolean;
}

export interface MemoryPlaceFacts {
  readonly sender: Pick<Sender, "id" | "isOwner">;
  readonly route: Pick<ReplyRoute, "channel" | "conversation" | "kind">;
}

export interface MemoryRules {
  readonly config: Pick<Config, "memory" | "session">;
  /** `/memory off` was said here. */
  readonly off: boolean;
  readonly caseSensitiveIds: boolean;
}

export const noMemory: MemoryAccess = { files: false, read: false, write: false };

export function memoryAccess(rules: MemoryRules, place: MemoryPlaceFacts): MemoryAccess {
  if (rules.off) return noMemory;
  const own = onlyOwnersRead(place);
  const files = own || isShared(rules, place);
  const { enabled } = rules.config.memory;
  return { files, read: files && enabled, write: own && enabled };
}

/** A person is named for direct chats; a group only by itself, since everybody in it reads along. */
function isShared({ config, caseSensitiveIds }: MemoryRules, place: MemoryPlaceFacts): boolean {
  const { shareWith } = config.memory;
  if (shareWith.length === 0) return false;
  const { sender, route } = place;
  const channel = route.channel;
  if (route.kind !== "direct") {
    const group: Peer = { channel, id: `group:${route.conversation}`, caseSensitiveIds };
    return shareWith.some((entry) => names(entry, group));
  }
  const peer: Peer = { channel, id: sender.id, caseSensitiveIds };
  const person = linkedPerson(peer, config.session.identityLinks, false);
  return shareWith.some(
    (entry) => names(entry, peer) || (person !== undefined && entry === person),
  );
}

function names(entry: string, peer: Peer): boolean {
  const parsed = parsePeer(entry);
  return (
    parsed !== null &&
    peer.id !== "" &&
    parsed.channel === lowerCase(peer.channel) &&
    samePeerId(parsed.id, peer)
  );
}

/**
 * Who somebody is across channels, for what was said in their conversations. Owners whom no link tells
 * apart are one person: the agent is one person's. Null: a group, which is nobody.
 */
export function memoryIdentity(
  { config, caseSensitiveIds }: Omit<MemoryRules, "off">,
  { sender, route }: MemoryPlaceFacts,
): string | null {
  if (route.kind !== "direct") return null;
  const peer: Peer = { channel: route.channel, id: sender.id, caseSensitiveIds };
  const person = linkedPerson(peer, config.session.identityLinks, false);
  if (person !== undefined) return `person:${person}`;
  if (sender.isOwner) return "owner";
  return sender.id === "" ? null : `${lowerCase(route.channel)}:${sender.id}`;
}
