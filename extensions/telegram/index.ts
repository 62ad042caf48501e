import type { Channel } from "#contract/channel.ts";
import { defineChannel } from "#contract/extension.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import { createBotApi } from "./api.ts";
import { fetchTelegramFile } from "./fetch-file.ts";
import { parseTelegram } from "./parse.ts";
import { draftTelegram, editTelegram, previewModeOf, removeTelegram } from "./preview.ts";
import { renderTelegram, textLimit } from "./render.ts";
import { channelId, sendThread } from "./route.ts";
import { sendTelegram } from "./send.ts";
import {
  botId,
  telegramEnvironment,
  type TelegramSettings,
  telegramSettingsSchema,
} from "./settings.ts";
import { setUpTelegram } from "./setup.ts";
import { verifyTelegram } from "./verify.ts";

/** Telegram by its Bot API: webhook in, HTTPS calls out. */
export const telegram = defineChannel<TelegramSettings>({
  kind: "channel",
  id: channelId,
  environment: telegramEnvironment,
  settings: telegramSettingsSchema,
  // A chat in whose name somebody speaks has a negative one.
  personIds: { form: /^-?\d+$/, description: "Telegram's ids are numbers" },
  create: createTelegram,
});

function createTelegram(
  account: string,
  settings: TelegramSettings,
  ports: ExtensionPorts,
): Channel {
  const api = createBotApi(settings, ports);
  const source = { account, bot: { id: botId(settings), username: settings.username } };
  return {
    id: channelId,
    account,
    capabilities: {
      textLimit,
      previewIntervalMs: 1000,
      // A group takes 20 messages and edits a minute.
      groupPreviewIntervalMs: 3000,
      buttons: true,
      caseSensitiveIds: false,
      groupsMove: true,
      description:
        "Telegram: bold, italic, strikethrough, spoilers, links, inline code, code blocks, quotes and lists are shown; tables become fixed-width text, headings bold lines.",
      typingRefreshMs: 4500,
    },
    verify: (request) => Promise.resolve(verifyTelegram(request, settings.webhookSecret)),
    parse: (request) => parseTelegram(request, source),
    render: renderTelegram,
    send: (part, route, context) => sendTelegram(api, part, route, context),
    edit: (messageId, part, route, context) =>
      editTelegram(api, messageId, part, { route, context }),
    remove: (messageId, route, context) => removeTelegram(api, messageId, { route, context }),
    draft: (draftId, text, route, context) => draftTelegram(api, draftId, text, { route, context }),
    previewMode: previewModeOf,
    async typing(route) {
      const thread = sendThread(route.thread);
      const payload = {
        chat_id: route.conversation,
        action: "typing" as const,
        ...(thread !== undefined && { message_thread_id: thread }),
      };
      await api.call((raw, signal) => raw.sendChatAction(payload, signal));
    },
    async acknowledgeAction(message) {
      const payload = { callback_query_id: message.platformMessageId };
      await api.call((raw, signal) => raw.answerCallbackQuery(payload, signal));
    },
    fetchAttachment: (ref) => fetchTelegramFile(api, ref),
    setup: (context) => setUpTelegram(api, account, context),
  };
}
