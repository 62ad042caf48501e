/**
 * Slack's text entities → readable text: `<#C1|general>`, `<https://…|label>`, `<@U1>`, `&lt;`. Slack
 * escapes exactly `& < >`, so every raw `<` opens an entity and one pass of unescaping is right: what a
 * person typed as `<@U1>` arrives as `&lt;@U1&gt;` and stays literal. Emphasis (`*bold*`) is left as typed.
 */
export interface ReadableText {
  readonly text: string;
  readonly mentionsSelf: boolean;
}

/** What stands for our own name where it is not just the salutation. */
const selfName = "@assistant";

/** `selfId` is our user id; its mention at the start is dropped, elsewhere it becomes a name. */
export function readSlackText(raw: string, selfId: string | undefined): ReadableText {
  if (selfId === undefined) return { text: decode(raw, selfId).trim(), mentionsSelf: false };
  const own = `<@${escapeRegExp(selfId)}(?:\\|[^<>]*)?>`;
  const mentionsSelf = new RegExp(own).test(raw);
  const body = raw.replace(new RegExp(`^\\s*(?:${own}[\\s,:]*)+`), "");
  const text = decode(body, selfId).trim();
  return { text: text === "" && mentionsSelf ? selfName : text, mentionsSelf };
}

/** The only user mentioned in the text, or undefined when there is none or more than one. */
export function onlyMention(raw: string): string | undefined {
  const ids = new Set([...raw.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((match) => match[1]));
  return ids.size === 1 ? [...ids][0] : undefined;
}

function decode(raw: string, selfId: string | undefined): string {
  const readable = raw.replace(
    /<([^<>]*)>/g,
    (whole, body: string) => entity(body, selfId) ?? whole,
  );
  return unescape(readable);
}

/** Still escaped; null for what is no entity we know. */
function entity(body: string, selfId: string | undefined): string | null {
  const bar = body.indexOf("|");
  const target = bar < 0 ? body : body.slice(0, bar);
  const label = bar < 0 ? "" : body.slice(bar + 1).trim();
  const name = target.slice(1);
  switch (target[0]) {
    case "@":
      return name === selfId ? selfName : `@${label || name}`;
    case "#":
      return `#${label || name}`;
    case "!":
      return special(name, label);
    default:
      return /^[a-z][a-z0-9+.-]*:/i.test(target) ? link(target, label) : null;
  }
}

/** `!here`, `!subteam^S1|@team`, `!date^0^{date}|fallback`. */
function special(name: string, label: string): string {
  if (label !== "") return label;
  return `@${name.replace(/^subteam\^/, "").split("^")[0]}`;
}

function link(url: string, label: string): string {
  const bare = url.replace(/^(?:https?:\/\/|mailto:|tel:)/, "");
  if (label === "" || label === url) return /^(?:mailto|tel):/.test(url) ? bare : url;
  if (label === bare || `${label}/` === bare) return /^https?:/.test(url) ? url : bare;
  return `${label} (${url})`;
}

function unescape(text: string): string {
  const plain: Record<string, string> = { amp: "&", lt: "<", gt: ">" };
  return text.replace(/&(amp|lt|gt);/g, (whole, name: string) => plain[name] ?? whole);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
