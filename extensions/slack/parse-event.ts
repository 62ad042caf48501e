import type { ParsedWebhook } from "#contract/channel.ts";
import type { ParsedMessage } from "#contract/message.ts";
import { routeTo, threadOfMessage, timeOf } from "./conversation.ts";
import { onlyMention, readSlackText } from "./entities.ts";
import { toAttachment } from "./inbound-file.ts";
import type { SlackSettings } from "./settings.ts";
import { messageEventSchema } from "./wire.ts";
import type { SlackEnvelope, SlackMessageEvent, SlackShared } from "./wire.ts";

/**
 * An Events API envelope → one message, or the reason why it is none. `message` and `app_mention` of the
 * same words give the same route and the same message id (its ts), so that the second is dropped as a
 * repeat. Our own and other bots' messages, edits and deletions never become input.
 */
export interface ParseContext {
  readonly account: string;
  readonly settings: SlackSettings;
  readonly now: number;
}

const spokenSubtypes = new Set(["file_share", "thread_broadcast", "me_message"]);
const slackbot = "USLACKBOT";

export function parseEvent(envelope: SlackEnvelope, context: ParseContext): ParsedWebhook {
  if (envelope.type !== "event_callback") return ignored("envelope", envelope.type);
  const team = envelope.authorizations?.[0]?.team_id ?? envelope.team_id;
  if (isOtherTeam(team, context)) return ignored("other_team");
  const parsed = messageEventSchema.safeParse(envelope.event);
  if (!parsed.success) return ignored("event", envelope.event?.type ?? "none");
  const event = parsed.data;
  const selfId = ownUserId(envelope, event, context.settings);
  const silent = whyNotSpoken(event, selfId);
  if (silent !== null) return silent;
  const message = toMessage(envelope, event, selfId, context);
  if (message.text === "" && message.attachments.length === 0) return ignored("empty");
  return { kind: "messages", messages: [message] };
}

/** `reason` is counted, so odd values share one label. */
export function ignored(what: string, detail?: string): ParsedWebhook {
  if (detail === undefined) return { kind: "ignored", reason: what };
  const label = /^[a-z0-9_.]{1,40}$/.test(detail) ? detail : "other";
  return { kind: "ignored", reason: `${what}:${label}` };
}

/** Unknown teams pass: not every payload names one. */
export function isOtherTeam(team: string | undefined, context: ParseContext): boolean {
  const expected = context.settings.teamId;
  return expected !== undefined && team !== undefined && team !== expected;
}

function ownUserId(
  envelope: SlackEnvelope,
  event: SlackMessageEvent,
  settings: SlackSettings,
): string | undefined {
  if (settings.botUserId !== undefined) return settings.botUserId;
  const installation = envelope.authorizations?.find((entry) => entry.is_bot !== false);
  if (installation?.user_id !== undefined) return installation.user_id;
  return event.type === "app_mention" ? onlyMention(event.text) : undefined;
}

function whyNotSpoken(event: SlackMessageEvent, selfId: string | undefined): ParsedWebhook | null {
  if (event.hidden === true) return ignored("hidden");
  if (event.subtype !== undefined && !spokenSubtypes.has(event.subtype)) {
    return ignored("subtype", event.subtype);
  }
  if (event.user === undefined) return ignored("no_user");
  if (event.user === selfId) return ignored("own");
  return event.bot_id !== undefined || event.user === slackbot ? ignored("bot") : null;
}

function toMessage(
  envelope: SlackEnvelope,
  event: SlackMessageEvent,
  selfId: string | undefined,
  context: ParseContext,
): ParsedMessage {
  const { user = "" } = event;
  const route = routeTo({
    account: context.account,
    conversation: event.channel,
    thread: threadOfMessage(event.channel, event.ts, event.thread_ts),
    hints: { team: envelope.team_id, enterprise: envelope.enterprise_id },
  });
  const spoken = readSlackText(event.text, selfId);
  const shared = (event.attachments ?? []).filter((part) => part.is_share || part.is_msg_unfurl);
  const files = [...(event.files ?? []), ...shared.flatMap((part) => part.files ?? [])];
  const answersSelf = selfId !== undefined && event.parent_user_id === selfId;
  const addressed = event.type === "app_mention" || spoken.mentionsSelf || answersSelf;
  return {
    channel: "slack",
    account: context.account,
    route,
    sender: { id: user, name: displayName(event) ?? user },
    text: [spoken.text, ...shared.map((part) => quote(part, selfId))].filter(Boolean).join("\n\n"),
    attachments: files.map(toAttachment),
    ...(answersSelf && event.thread_ts !== undefined
      ? { replyTo: { messageId: event.thread_ts, fromSelf: true } }
      : {}),
    forwarded: shared.length > 0,
    mentionsSelf: addressed || route.kind === "direct",
    deliveryId: envelope.event_id ?? `${event.type}:${event.channel}:${event.ts}`,
    platformMessageId: event.ts,
    sentAt: timeOf(event.ts, context.now),
  };
}

function displayName(event: SlackMessageEvent): string | undefined {
  const profile = event.user_profile;
  return profile?.display_name || profile?.real_name || profile?.name || undefined;
}

/** A message that was shared into this one: quoted, so that nobody takes it for the sender's words. */
function quote(part: SlackShared, selfId: string | undefined): string {
  const words = readSlackText(part.text ?? part.fallback ?? "", selfId).text;
  const author = oneLine(part.author_name ?? part.author_id ?? "someone");
  const place = part.channel_name === undefined ? "" : ` in #${oneLine(part.channel_name)}`;
  const lines = words.split("\n").map((line) => `> ${line}`);
  return [`Forwarded message from ${author}${place}:`, ...(words === "" ? [] : lines)].join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 80);
}
