import { channelConfig } from "#contract/config.ts";
import type { ParsedMessage, Sender } from "#contract/message.ts";
import type { RuntimeConfig } from "#contract/runtime-config.ts";
import { checkAccess, senderPeer, type Admission, type RefusalReason } from "./access.ts";
import { bindingFacts, pickAgent } from "./binding.ts";
import { linkedPerson } from "./identity.ts";
import { lowerCase } from "./key-part.ts";
import { buildSessionKey, type SessionScope } from "./session-key.ts";

/**
 * From a parsed message to the conversation it belongs to: the gate, then the agent, then the key.
 * Pure: the same message and configuration give the same answer, so a redelivery cannot reroute.
 * Where the answer goes is not decided here; the message carries its route.
 */
export interface RoutingContext {
  readonly runtime: Pick<RuntimeConfig, "config" | "owners" | "closed">;
  /** `capabilities.caseSensitiveIds` of the message's channel. */
  readonly caseSensitiveIds: boolean;
  /** The id the message's conversation had before it moved: key, bindings and lists go on under it. */
  readonly formerly?: string | undefined;
}

export type Routing =
  | {
      readonly admit: true;
      readonly agentId: string;
      readonly sessionKey: string;
      readonly sender: Sender;
      readonly buffer?: true;
    }
  | { readonly admit: false; readonly reason: RefusalReason; readonly notice?: boolean };

export function routeMessage(message: ParsedMessage, context: RoutingContext): Routing {
  const { config, owners, closed } = context.runtime;
  const { caseSensitiveIds } = context;
  const admission = checkAccess(message, {
    channel: channelConfig(config, message.route.channel),
    identityLinks: config.session.identityLinks,
    owners,
    closed,
    caseSensitiveIds,
    formerly: context.formerly,
  });
  if (!admission.admit) return admission;
  const facts = bindingFacts(message, caseSensitiveIds, context.formerly);
  const agentId = pickAgent(facts, config.bindings, config.agents.default);
  const scope = chatScope(message, admission, context);
  return {
    ...admission,
    agentId,
    sessionKey: buildSessionKey({ agentId, scope }, caseSensitiveIds),
  };
}

function chatScope(
  message: ParsedMessage,
  admission: Extract<Admission, { admit: true }>,
  context: RoutingContext,
): SessionScope {
  const { route } = message;
  const thread = route.thread === undefined ? {} : { thread: route.thread };
  if (route.kind !== "direct") {
    const conversation = context.formerly ?? route.conversation;
    return { kind: "group", channel: route.channel, conversation, ...thread };
  }
  return directScope(message, admission.sender, context);
}

/**
 * The peer of a direct chat is its person, never the platform's id of the chat. Conversations that
 * span channels (main, linked, per-peer) ignore threads, whose ids belong to one channel. Nobody who
 * is not an owner gets into an owner's conversation: `main` is for owners, a link by bare id too, and
 * an id that an owner bears elsewhere is kept on its own channel.
 */
function directScope(
  message: ParsedMessage,
  sender: Sender,
  context: RoutingContext,
): SessionScope {
  const { route } = message;
  const { dmScope, identityLinks } = context.runtime.config.session;
  if (dmScope === "main" && sender.isOwner) return { kind: "main" };
  const peer = senderPeer(message, context.caseSensitiveIds);
  const person = dmScope === "main" ? undefined : linkedPerson(peer, identityLinks, sender.isOwner);
  if (person !== undefined) return { kind: "linked", person };
  const ownersId = context.runtime.owners.some(
    (owner) => lowerCase(owner.id) === lowerCase(peer.id),
  );
  if (dmScope === "per-peer" && (sender.isOwner || !ownersId))
    return { kind: "peer", peer: peer.id };
  return {
    kind: "direct",
    channel: route.channel,
    peer: peer.id,
    ...(dmScope === "per-account-channel-peer" ? { account: route.account } : {}),
    ...(route.thread === undefined ? {} : { thread: route.thread }),
  };
}
