import { agentIdSchema } from "#contract/config.ts";
import { decodePart, encodePart, type KeyPart } from "./key-part.ts";

/**
 * The name of a conversation: `agent:<agentId>:<scope>`, always lower-case ASCII, at most 1,000
 * bytes. Building and parsing are inverse, and no two addresses share a key; what may be one address
 * (case, group or channel) is decided here and nowhere else. It says nothing about where an answer
 * goes: that is the stored route, never a key taken apart.
 */
export type SessionScope =
  /** All direct chats of the agent in one conversation. */
  | { readonly kind: "main" }
  /** A person in whatever chat, by the identity links of the configuration. */
  | { readonly kind: "linked"; readonly person: KeyPart }
  /** A peer id, on whatever channel. */
  | { readonly kind: "peer"; readonly peer: KeyPart }
  /** A peer on one channel; with an account, on that account only. Web chat is channel "web". */
  | {
      readonly kind: "direct";
      readonly channel: KeyPart;
      readonly account?: KeyPart;
      readonly peer: KeyPart;
      readonly thread?: KeyPart;
    }
  /** A group or a channel: one word for both, because platforms do not always say which it is. */
  | {
      readonly kind: "group";
      readonly channel: KeyPart;
      readonly conversation: KeyPart;
      readonly thread?: KeyPart;
    }
  | { readonly kind: "api"; readonly user: KeyPart }
  | { readonly kind: "api-once"; readonly request: KeyPart }
  | { readonly kind: "cron"; readonly job: KeyPart; readonly run: KeyPart }
  /** One id per generation; the length is the depth. */
  | { readonly kind: "subagent"; readonly path: readonly KeyPart[] }
  | { readonly kind: "heartbeat" }
  | { readonly kind: "hook"; readonly id: KeyPart };

export interface SessionAddress {
  readonly agentId: string;
  readonly scope: SessionScope;
}

/** Is this a conversation of one request, which nobody comes back to? */
export function isOneOff(key: string): boolean {
  return parseSessionKey(key)?.scope.kind === "api-once";
}

/** Such keys, as a pattern of SQL's LIKE. */
export const ONE_OFF_KEYS = "agent:%:api:once:%";

/** Scopes in which one person talks with the agent, and comes back. */
const personal: ReadonlySet<SessionScope["kind"]> = new Set([
  "main",
  "linked",
  "peer",
  "direct",
  "api",
]);

/** Is it one person's conversation with the agent: no group, job, child, hook or single request? */
export function isOnePersons(key: string): boolean {
  const kind = parseSessionKey(key)?.scope.kind;
  return kind !== undefined && personal.has(kind);
}

/** Generations of children a key can name. */
export const MAX_SUBAGENT_DEPTH = 5;

/** First words of scopes: a channel of such a name is written with its first letter escaped. */
const reserved = new Set(["main", "direct", "api", "cron", "subagent", "heartbeat", "hook"]);

/**
 * The key of an address. Ids are folded to lower case unless `caseSensitiveIds`. Throws a RangeError
 * on an invalid agent id or too deep a child: both are checked long before.
 */
export function buildSessionKey(address: SessionAddress, caseSensitiveIds = false): string {
  const { agentId, scope } = address;
  if (!agentIdSchema.safeParse(agentId).success) throw new RangeError("not an agent id");
  const part = (value: KeyPart) => encodePart(value, caseSensitiveIds);
  return ["agent", agentId, ...scopeWords(scope, part)].join(":");
}

function scopeWords(scope: SessionScope, part: (value: KeyPart) => string): string[] {
  switch (scope.kind) {
    case "main":
    case "heartbeat":
      return [scope.kind];
    case "linked":
      return ["direct", "linked", part(scope.person)];
    case "peer":
      return ["direct", part(scope.peer)];
    case "direct":
    case "group":
      return chatWords(scope, part);
    case "api":
      return ["api", "direct", part(scope.user)];
    case "api-once":
      return ["api", "once", part(scope.request)];
    case "cron":
      return ["cron", part(scope.job), "run", part(scope.run)];
    case "subagent":
      if (scope.path.length < 1 || scope.path.length > MAX_SUBAGENT_DEPTH) {
        throw new RangeError("a child is 1 to 5 generations deep");
      }
      return scope.path.flatMap((id) => ["subagent", part(id)]);
    case "hook":
      return ["hook", part(scope.id)];
  }
}

function chatWords(
  scope: Extract<SessionScope, { kind: "direct" | "group" }>,
  part: (value: KeyPart) => string,
): string[] {
  const channel = channelWord(part(scope.channel));
  const chat =
    scope.kind === "group"
      ? ["group", part(scope.conversation)]
      : [...(scope.account === undefined ? [] : [part(scope.account)]), "direct", part(scope.peer)];
  const thread = scope.thread === undefined ? [] : ["thread", part(scope.thread)];
  return [channel, ...chat, ...thread];
}

function channelWord(encoded: string): string {
  if (!reserved.has(encoded)) return encoded;
  return `%${encoded.charCodeAt(0).toString(16)}${encoded.slice(1)}`;
}

/**
 * The address a key stands for; null when nothing builds this key. Capitals in the key do not count.
 * `buildSessionKey(parseSessionKey(key), true)` is the key again. Ids in it are for showing and
 * comparing, not for calling a platform: their case may be lost.
 */
export function parseSessionKey(key: string): SessionAddress | null {
  const text = key.toLowerCase();
  const [prefix, agentId = "", ...words] = text.split(":");
  if (prefix !== "agent" || !agentIdSchema.safeParse(agentId).success) return null;
  const scope = parseScope(words);
  if (scope === null) return null;
  const address = { agentId, scope };
  // The same text again or none: a second spelling of a key would be a second conversation.
  return buildSessionKey(address, true) === text ? address : null;
}

function parseScope(words: readonly string[]): SessionScope | null {
  const [first = "", second = ""] = words;
  if (first === "subagent") return parseChild(words);
  if (!reserved.has(first)) return parseChat(words);
  const parts = words.map(decodePart);
  const last = parts.at(-1);
  if (last === undefined || last === null || words.length > 4) return null;
  switch (`${first}/${words.length}`) {
    case "main/1":
      return { kind: "main" };
    case "heartbeat/1":
      return { kind: "heartbeat" };
    case "direct/2":
      return { kind: "peer", peer: last };
    case "direct/3":
      return second === "linked" ? { kind: "linked", person: last } : null;
    case "api/3":
      return second === "direct"
        ? { kind: "api", user: last }
        : { kind: "api-once", request: last };
    case "cron/4":
      return { kind: "cron", job: parts[1] ?? "", run: last };
    case "hook/2":
      return { kind: "hook", id: last };
    default:
      return null;
  }
}

function parseChild(words: readonly string[]): SessionScope | null {
  const path = words.filter((_word, index) => index % 2 === 1).map(decodePart);
  if (path.length > MAX_SUBAGENT_DEPTH || path.length * 2 !== words.length) return null;
  return path.every((id) => id !== null) ? { kind: "subagent", path } : null;
}

/** `channel [account] direct|group id [thread id]`: the number of words tells the forms apart. */
function parseChat(words: readonly string[]): SessionScope | null {
  if (words.length < 3 || words.length > 6) return null;
  const parts = words.map(decodePart);
  if (!parts.every((part) => part !== null)) return null;
  const suffix = words.length >= 5 ? { thread: parts.at(-1) ?? "" } : {};
  const base = words.length >= 5 ? words.length - 2 : words.length;
  const channel = parts[0] ?? "";
  const id = parts[base - 1] ?? "";
  if (words[base - 2] === "group") return { kind: "group", channel, conversation: id, ...suffix };
  const account = base === 4 ? { account: parts[1] ?? "" } : {};
  return { kind: "direct", channel, ...account, peer: id, ...suffix };
}
