import type { ChannelConfig } from "#contract/config.ts";
import type { ParsedMessage, Sender } from "#contract/message.ts";
import type { ClosedAccess, Owner } from "#contract/runtime-config.ts";
import { commandOf, isCommandFor } from "./command.ts";
import { isOwner, samePeerId, type IdentityLinks, type Peer } from "./identity.ts";
import { lowerCase } from "./key-part.ts";

/**
 * The gate every inbound update passes before anything else runs. It fails closed: whoever no rule
 * lets in stays out, and nobody gets in where settings about access could not be read. It looks at
 * who and where, never at what kind of update it is; text matters only for whether the assistant is
 * addressed in a group. Which commands a person may give is decided by core/routing/command.ts.
 */
export interface AccessPolicy {
  readonly channel: ChannelConfig;
  readonly owners: readonly Owner[];
  readonly identityLinks: IdentityLinks;
  readonly closed: ClosedAccess;
  readonly caseSensitiveIds: boolean;
  /** The id the message's group had before it moved: whoever allowed that one meant this group. */
  readonly formerly?: string | undefined;
}

export type RefusalReason =
  /** Settings about access are broken. */
  | "closed"
  /** The channel or its direct chats are switched off. */
  | "disabled"
  /** A person nobody has let in. */
  | "stranger"
  /** A group that is not served. */
  | "group";

export type Admission =
  | {
      readonly admit: true;
      readonly sender: Sender;
      /** Overheard in a group: kept as context of the next turn, starts none. */
      readonly buffer?: true;
    }
  | {
      readonly admit: false;
      readonly reason: RefusalReason;
      /** The person may be told once that this assistant is private. */
      readonly notice?: boolean;
    };

export function checkAccess(message: ParsedMessage, policy: AccessPolicy): Admission {
  const { route } = message;
  if (isClosed(route.channel, policy.closed)) return { admit: false, reason: "closed" };
  if (!policy.channel.enabled) return { admit: false, reason: "disabled" };
  const peer = senderPeer(message, policy.caseSensitiveIds);
  const sender = {
    ...message.sender,
    isOwner: isOwner(peer, policy.owners, policy.identityLinks),
  };
  return route.kind === "direct"
    ? checkDirect(sender, peer, policy)
    : checkGroup(message, sender, policy);
}

/** The sender as identity links and lists know them. */
export function senderPeer(message: ParsedMessage, caseSensitiveIds: boolean): Peer {
  return { channel: message.route.channel, id: message.sender.id, caseSensitiveIds };
}

function isClosed(channel: string, closed: ClosedAccess): boolean {
  return closed === "all" || closed.some((name) => lowerCase(name) === lowerCase(channel));
}

function checkDirect(sender: Sender, peer: Peer, policy: AccessPolicy): Admission {
  const { dmPolicy, allowFrom } = policy.channel;
  if (dmPolicy === "disabled") return { admit: false, reason: "disabled" };
  const listed = peer.id !== "" && allowFrom.some((id) => samePeerId(id, peer));
  const admitted = sender.isOwner || dmPolicy === "open" || (dmPolicy === "allowlist" && listed);
  return admitted ? { admit: true, sender } : { admit: false, reason: "stranger", notice: true };
}

function checkGroup(message: ParsedMessage, sender: Sender, policy: AccessPolicy): Admission {
  const { allow, requireMention } = policy.channel.groups;
  const peer = senderPeer(message, policy.caseSensitiveIds);
  const ids = [message.route.conversation, ...(policy.formerly ? [policy.formerly] : [])];
  const groups = ids.map((id) => ({ ...peer, id }));
  const listed = allow.some((id) => id === "*" || groups.some((group) => samePeerId(id, group)));
  if (!listed && !sender.isOwner) return { admit: false, reason: "group" };
  if (!requireMention || isAddressed(message, sender)) return { admit: true, sender };
  return { admit: true, sender, buffer: true };
}

/** By a mention, a reply to the assistant, a press on one of its buttons, or an owner's command. */
function isAddressed(message: ParsedMessage, sender: Sender): boolean {
  if (message.mentionsSelf || message.replyTo?.fromSelf || message.action !== undefined)
    return true;
  const command = commandOf(message);
  return command !== null && sender.isOwner && isCommandFor(command, sender);
}
