import { type SentMessage, messageJson } from "./telegram-chats.ts";
import { badRequest } from "./telegram-failure.ts";
import { type ApiParameters, isRecord, scalarText } from "./telegram-form.ts";
import { checkedKeyboard, checkedText, replyTarget } from "./telegram-checks.ts";
import { sendAlbum, sendMedia } from "./telegram-media.ts";
import type { TelegramServer } from "./telegram-server.ts";

/** The Bot API methods of the double. Each makes its effect and returns `result`, or throws ApiFault. */
export interface ApiCall {
  readonly name: string;
  readonly parameters: ApiParameters;
  readonly server: TelegramServer;
}

export type ApiMethod = (call: ApiCall) => unknown;

export const telegramMethods: Readonly<Record<string, ApiMethod>> = {
  getMe: ({ server }) => ({
    id: server.bot.id,
    is_bot: true,
    first_name: "Sample Helper",
    username: server.bot.username,
    can_join_groups: true,
    can_read_all_group_messages: false,
  }),
  setWebhook,
  deleteWebhook: ({ server }) => {
    server.webhook = undefined;
    return true;
  },
  getWebhookInfo,
  setMyCommands,
  sendMessage,
  sendPhoto: sendMedia,
  sendDocument: sendMedia,
  sendVoice: sendMedia,
  sendAudio: sendMedia,
  sendVideo: sendMedia,
  sendMediaGroup: sendAlbum,
  editMessageText,
  deleteMessage,
  sendMessageDraft,
  sendChatAction,
  answerCallbackQuery,
  getFile,
};

function setWebhook({ parameters, server }: ApiCall): unknown {
  const url = parameters.text("url") ?? "";
  if (url !== "" && !server.local && !url.startsWith("https://")) {
    throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  }
  const secretToken = parameters.text("secret_token");
  if (secretToken !== undefined && !/^[\w-]{1,256}$/.test(secretToken)) {
    throw badRequest("secret token contains unallowed characters");
  }
  server.webhook =
    url === ""
      ? undefined
      : {
          url,
          secretToken,
          allowedUpdates: (parameters.list("allowed_updates") ?? []).map(String),
          maxConnections: parameters.integer("max_connections"),
        };
  return true;
}

function getWebhookInfo({ server }: ApiCall): unknown {
  return {
    url: server.webhook?.url ?? "",
    has_custom_certificate: false,
    pending_update_count: 0,
    ...(server.lastWebhookError !== undefined && {
      last_error_date: 1_760_000_000,
      last_error_message: server.lastWebhookError,
    }),
    max_connections: server.webhook?.maxConnections ?? 40,
    allowed_updates: server.webhook?.allowedUpdates ?? [],
  };
}

function setMyCommands({ parameters, server }: ApiCall): unknown {
  const commands = parameters.list("commands") ?? [];
  if (commands.length > 100) throw badRequest("too many commands specified");
  for (const command of commands) {
    const fields = isRecord(command) ? command : {};
    const name = scalarText(fields["command"]) ?? "";
    const description = scalarText(fields["description"]) ?? "";
    if (!/^[a-z0-9_]{1,32}$/.test(name)) throw badRequest("BOT_COMMAND_INVALID");
    if (description.length < 1 || description.length > 256) {
      throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
    }
  }
  server.commands = commands;
  return true;
}

function sendMessage(call: ApiCall): unknown {
  const { parameters, server } = call;
  const chat = server.chats.require(parameters.integer("chat_id"));
  const thread = parameters.integer("message_thread_id");
  server.chats.requireThread(chat, thread);
  const text = checkedText(parameters, { name: "text", limit: 4096, required: true });
  const message: SentMessage = {
    chatId: chat.id,
    messageId: server.chats.newMessageId(),
    method: call.name,
    ...text,
    thread,
    replyTo: replyTarget(call, chat.id),
    keyboard: checkedKeyboard(parameters),
    media: [],
    albumId: undefined,
    at: Date.now(),
  };
  server.chats.post(message);
  server.sent.push({ ...message });
  return messageJson(message, chat, server.bot);
}

function editMessageText({ parameters, server }: ApiCall): unknown {
  const chat = server.chats.require(parameters.integer("chat_id"));
  const message = server.chats.find(chat.id, parameters.integer("message_id"));
  if (!message) throw badRequest("message to edit not found");
  if (message.media.length > 0) throw badRequest("there is no text in the message to edit");
  const text = checkedText(parameters, { name: "text", limit: 4096, required: true });
  const keyboard = checkedKeyboard(parameters);
  const same =
    text.raw === message.raw && JSON.stringify(keyboard) === JSON.stringify(message.keyboard);
  if (same) {
    throw badRequest(
      "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
    );
  }
  Object.assign(message, text, { keyboard });
  server.edits.push({ chatId: chat.id, messageId: message.messageId, text: message.text });
  return messageJson(message, chat, server.bot);
}

function deleteMessage({ parameters, server }: ApiCall): unknown {
  const chat = server.chats.require(parameters.integer("chat_id"));
  const message = server.chats.find(chat.id, parameters.integer("message_id"));
  if (!message) throw badRequest("message to delete not found");
  server.chats.delete(message);
  server.deletions.push({ chatId: chat.id, messageId: message.messageId });
  return true;
}

function sendMessageDraft({ parameters, server }: ApiCall): unknown {
  const chat = server.chats.require(parameters.integer("chat_id"));
  if (chat.type !== "private") throw badRequest("TEXTDRAFT_PEER_INVALID");
  const draftId = parameters.integer("draft_id");
  if (!draftId) throw badRequest("invalid draft_id specified");
  const thread = parameters.integer("message_thread_id");
  server.chats.requireThread(chat, thread);
  const { text } = checkedText(parameters, { name: "text", limit: 4096, required: false });
  server.drafts.push({
    chatId: chat.id,
    draftId,
    text,
    ...(thread !== undefined && { thread }),
  });
  return true;
}

function sendChatAction({ parameters, server }: ApiCall): unknown {
  const chat = server.chats.require(parameters.integer("chat_id"));
  const thread = parameters.integer("message_thread_id");
  const action = parameters.text("action") ?? "";
  if (!/^[a-z_]+$/.test(action)) throw badRequest("wrong parameter action in request");
  server.actions.push({ chatId: chat.id, action, ...(thread !== undefined && { thread }) });
  return true;
}

function answerCallbackQuery({ parameters, server }: ApiCall): unknown {
  const callbackQueryId = parameters.text("callback_query_id") ?? "";
  if (!/^\d+$/.test(callbackQueryId)) {
    throw badRequest("query is too old and response timeout expired or query ID is invalid");
  }
  server.answers.push({ callbackQueryId });
  return true;
}

function getFile({ parameters, server }: ApiCall): unknown {
  const fileId = parameters.text("file_id") ?? "";
  const file = server.files.get(fileId);
  if (!file) throw badRequest("wrong file_id or the file is temporarily unavailable");
  const size = file.declaredSize;
  if (size !== undefined && size > 20 * 1024 * 1024) throw badRequest("file is too big");
  return {
    file_id: fileId,
    file_unique_id: `u${fileId}`,
    file_path: file.path,
    ...(size !== undefined && { file_size: size }),
  };
}
