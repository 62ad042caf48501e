import type { ParsedWebhook } from "#contract/channel.ts";
import type { ParsedMessage, ReplyRoute } from "#contract/message.ts";
import { routeTo, timeOf } from "./conversation.ts";
import { readSlackText } from "./entities.ts";
import { ignored, isOtherTeam, type ParseContext } from "./parse-event.ts";
import type { SlackInteraction, SlackSlashCommand } from "./wire.ts";

/**
 * Pressed buttons and slash commands → messages. A press belongs to the conversation its message was
 * posted in: the thread, or the main one when the message itself is the thread's head. `/pagurus help`
 * becomes `/help`; Slack does not run slash commands inside threads, so there the text form
 * `@bot /help` is the way. The command's user is kept as a hint, because the command may have been
 * typed where the bot is not a member (see post.ts).
 */
export function parseInteraction(payload: SlackInteraction, context: ParseContext): ParsedWebhook {
  if (payload.type !== "block_actions") return ignored("interaction", payload.type);
  if (isOtherTeam(payload.team?.id, context)) return ignored("other_team");
  const origin = originOf(payload, context);
  if (origin === null) return ignored("no_conversation");
  const pressed = (payload.actions ?? []).filter((action) => action.value !== undefined);
  if (pressed.length === 0) return ignored("no_value");
  const { id, name, username } = payload.user;
  return {
    kind: "messages",
    messages: pressed.map((action, index) => {
      const press = action.action_ts ?? payload.trigger_id ?? String(context.now);
      const suffix = index === 0 ? "" : `:${index}`;
      return {
        ...spoken(context, id, name ?? username),
        route: origin.route,
        text: action.text?.text ?? "",
        action: action.value ?? "",
        deliveryId: `${payload.trigger_id ?? `${origin.messageTs}:${press}`}${suffix}`,
        platformMessageId: `press:${origin.messageTs}:${press}${suffix}`,
        sentAt: timeOf(action.action_ts, context.now),
      };
    }),
  };
}

/** The message the buttons are on; null when they are not on a message of a conversation. */
function originOf(
  payload: SlackInteraction,
  context: ParseContext,
): { readonly messageTs: string; readonly route: ReplyRoute } | null {
  const conversation = payload.channel?.id ?? payload.container?.channel_id;
  if (!conversation) return null;
  const { messageTs, thread } = threadOfPress(payload);
  const route = routeTo({
    account: context.account,
    conversation,
    thread,
    hints: { team: payload.team?.id, enterprise: payload.enterprise?.id },
  });
  return { messageTs, route };
}

function threadOfPress({ message, container }: SlackInteraction) {
  const messageTs = message?.ts ?? container?.message_ts ?? "";
  const threadTs = message?.thread_ts ?? container?.thread_ts;
  return { messageTs, thread: threadTs === messageTs ? undefined : threadTs };
}

/** `sentAt` is the request's own signed timestamp, when it has one. */
export function parseSlashCommand(
  form: SlackSlashCommand,
  requestTimestamp: string | null,
  context: ParseContext,
): ParsedWebhook {
  if (isOtherTeam(form.team_id, context)) return ignored("other_team");
  const words = readSlackText(form.text, undefined).text;
  const deliveryId = form.trigger_id ?? `${form.channel_id}:${form.user_id}:${context.now}`;
  const message: ParsedMessage = {
    ...spoken(context, form.user_id, form.user_name),
    route: routeTo({
      account: context.account,
      conversation: form.channel_id,
      thread: undefined,
      hints: { team: form.team_id, enterprise: form.enterprise_id, user: form.user_id },
    }),
    ...(isRealChannelName(form.channel_name) ? { title: `#${form.channel_name}` } : {}),
    text: words === "" ? "/help" : `/${words.replace(/^\//, "")}`,
    deliveryId,
    platformMessageId: `command:${deliveryId}`,
    sentAt: timeOf(requestTimestamp ?? undefined, context.now),
  };
  return {
    kind: "messages",
    messages: [message],
    response: {
      body: JSON.stringify({ response_type: "ephemeral", text: "Got it." }),
      contentType: "application/json",
    },
  };
}

/** Slack fills in these words where the place has no name. */
function isRealChannelName(name: string | undefined): boolean {
  return name !== undefined && name !== "directmessage" && name !== "privategroup";
}

function spoken(context: ParseContext, id: string, name: string | undefined) {
  return {
    channel: "slack",
    account: context.account,
    sender: { id, name: name ?? id, ...(name === undefined ? {} : { username: name }) },
    attachments: [],
    forwarded: false,
    mentionsSelf: true,
  };
}
