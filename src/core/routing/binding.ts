import type { Binding } from "#contract/config.ts";
import type { ParsedMessage } from "#contract/message.ts";
import { lowerCase } from "./key-part.ts";

/**
 * Which agent answers a chat. The most specific binding that matches wins: exact peer, parent peer,
 * peer wildcard, guild or team with role, guild or team, account, channel, then the default agent;
 * among equals the first in the list. Everything a binding names must match.
 */
export interface BindingFacts {
  readonly channel: string;
  readonly account: string;
  /** Ids that stand for the chat itself: its conversation, and in a direct chat its person. */
  readonly peers: readonly string[];
  /** Set inside a thread of a group or channel; `peers` are the ids of what contains it. */
  readonly thread?: string;
  readonly guild?: string | undefined;
  readonly team?: string | undefined;
  readonly roles: readonly string[];
  readonly caseSensitiveIds: boolean;
}

/** What bindings may ask about a message. `formerly`: the id its group had before it moved. */
export function bindingFacts(
  message: ParsedMessage,
  caseSensitiveIds: boolean,
  formerly?: string,
): BindingFacts {
  const { route, sender, membership } = message;
  const groupIds = [route.conversation, ...(formerly === undefined ? [] : [formerly])];
  const thread = route.kind === "direct" ? undefined : route.thread;
  return {
    channel: route.channel,
    account: route.account,
    peers: route.kind === "direct" ? [sender.id, route.conversation] : groupIds,
    ...(thread === undefined ? {} : { thread }),
    guild: membership?.guild,
    team: membership?.team,
    roles: membership?.roles ?? [],
    caseSensitiveIds,
  };
}

export function pickAgent(
  facts: BindingFacts,
  bindings: readonly Binding[],
  defaultAgent: string,
): string {
  let best = { rank: 0, agent: defaultAgent };
  for (const binding of bindings) {
    const rank = bindingRank(binding.match, facts);
    if (rank > best.rank) best = { rank, agent: binding.agent };
  }
  return best.agent;
}

const RANK = {
  none: 0,
  any: 1,
  channel: 2,
  account: 3,
  place: 4,
  placeAndRole: 5,
  anyPeer: 6,
  inheritedPeer: 7,
  parentPeer: 8,
  peer: 9,
} as const;

/** 0 = does not match. */
function bindingRank(match: Binding["match"], facts: BindingFacts): number {
  if (!commonFieldsMatch(match, facts)) return RANK.none;
  const peer = peerRank(match, facts);
  if (peer !== undefined) return peer;
  if (match.roles?.length) return RANK.placeAndRole;
  if (match.guild !== undefined || match.team !== undefined) return RANK.place;
  if (match.account !== undefined) return RANK.account;
  return match.channel === undefined ? RANK.any : RANK.channel;
}

function commonFieldsMatch(match: Binding["match"], facts: BindingFacts): boolean {
  const fits = (wanted: string | undefined, actual: string | undefined) =>
    wanted === undefined || (actual !== undefined && sameId(wanted, actual, facts));
  const roles = match.roles ?? [];
  return (
    (match.channel === undefined || lowerCase(match.channel) === lowerCase(facts.channel)) &&
    (match.account === undefined || lowerCase(match.account) === lowerCase(facts.account)) &&
    fits(match.guild, facts.guild) &&
    fits(match.team, facts.team) &&
    (roles.length === 0 || roles.some((role) => facts.roles.some((had) => fits(role, had))))
  );
}

/** Undefined when the binding asks for no peer. */
function peerRank({ peer, parentPeer }: Binding["match"], facts: BindingFacts): number | undefined {
  if (parentPeer !== undefined) return threadRank(parentPeer, peer, facts);
  if (peer === undefined) return undefined;
  if (peer === "*") return RANK.anyPeer;
  if (!facts.peers.some((id) => sameId(peer, id, facts))) return RANK.none;
  return facts.thread === undefined ? RANK.peer : RANK.inheritedPeer;
}

/**
 * A thread may be named as a peer only together with its parent: alone, a number like "285" would
 * match threads of unrelated chats.
 */
function threadRank(parent: string, peer: string | undefined, facts: BindingFacts): number {
  const { thread, peers } = facts;
  if (thread === undefined || !peers.some((id) => sameId(parent, id, facts))) return RANK.none;
  if (peer === undefined || peer === "*") return RANK.parentPeer;
  return sameId(peer, thread, facts) ? RANK.peer : RANK.none;
}

function sameId(a: string, b: string, facts: BindingFacts): boolean {
  return facts.caseSensitiveIds ? a === b : lowerCase(a) === lowerCase(b);
}
