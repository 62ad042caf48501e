import { checkedKeyboard, checkedText, replyTarget, visibleText } from "./telegram-checks.ts";
import { type SentMedia, type SentMessage, messageJson } from "./telegram-chats.ts";
import { badRequest } from "./telegram-failure.ts";
import { type ApiParameters, isRecord, scalarText } from "./telegram-form.ts";
import type { ApiCall } from "./telegram-methods.ts";

/** sendPhoto and its relatives, and albums. Files must really be uploaded. */
const captionLimit = 1024;
const photoBytes = 10 * 1024 * 1024;
const fileBytes = 50 * 1024 * 1024;

export function sendMedia(call: ApiCall): unknown {
  const { parameters, server, name } = call;
  const type = name.slice("send".length).toLowerCase();
  const chat = server.chats.require(parameters.integer("chat_id"));
  const thread = parameters.integer("message_thread_id");
  server.chats.requireThread(chat, thread);
  const caption = checkedText(parameters, {
    name: "caption",
    limit: captionLimit,
    required: false,
  });
  const message: SentMessage = {
    chatId: chat.id,
    messageId: server.chats.newMessageId(),
    method: name,
    ...caption,
    thread,
    replyTo: replyTarget(call, chat.id),
    keyboard: checkedKeyboard(parameters),
    media: [uploaded(parameters, type, parameters.text(type))],
    albumId: undefined,
    at: Date.now(),
  };
  server.chats.post(message);
  server.sent.push({ ...message });
  return messageJson(message, chat, server.bot);
}

export function sendAlbum(call: ApiCall): unknown {
  const { parameters, server } = call;
  const chat = server.chats.require(parameters.integer("chat_id"));
  const thread = parameters.integer("message_thread_id");
  server.chats.requireThread(chat, thread);
  const items = (parameters.list("media") ?? []).filter(isRecord);
  if (items.length < 2 || items.length > 10) {
    throw badRequest("wrong number of messages to send in an album");
  }
  checkMix(items.map((item) => scalarText(item["type"]) ?? ""));
  const albumId = `album-${server.chats.newMessageId()}`;
  const replyTo = replyTarget(call, chat.id);
  const messages = items.map((item): SentMessage => {
    const raw = scalarText(item["caption"]) ?? "";
    const parseMode = scalarText(item["parse_mode"]);
    const text = visibleText(raw, parseMode);
    if (text.length > captionLimit) throw badRequest("message caption is too long");
    const media = uploaded(parameters, scalarText(item["type"]) ?? "", item["media"]);
    const messageId = server.chats.newMessageId();
    const fixed = { chatId: chat.id, messageId, method: call.name, thread, replyTo, albumId };
    return { ...fixed, text, raw, parseMode, keyboard: undefined, media: [media], at: Date.now() };
  });
  for (const message of messages) {
    server.chats.post(message);
    server.sent.push({ ...message });
  }
  return messages.map((message) => messageJson(message, chat, server.bot));
}

/** Photos and videos mix; documents and audio stay among themselves. */
function checkMix(types: readonly string[]): void {
  const classes = new Set(types.map((type) => (/^(photo|video)$/.test(type) ? "visual" : type)));
  if (classes.size > 1) throw badRequest("document can't be mixed with other media types");
}

function uploaded(parameters: ApiParameters, type: string, reference: unknown): SentMedia {
  const file = parameters.file(reference) ?? parameters.file(type);
  if (!file) throw badRequest(`there is no ${type} in the request`);
  if (file.bytes.length === 0) throw badRequest("file must be non-empty");
  const limit = type === "photo" ? photoBytes : fileBytes;
  if (file.bytes.length > limit) throw badRequest("file is too big");
  return { type, name: file.name, bytes: file.bytes };
}
