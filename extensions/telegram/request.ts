import { InputFile } from "grammy/web";
import type { FetchedMedia } from "#contract/channel.ts";
import type { OutboundMedia } from "#contract/message.ts";
import type { Request } from "./api.ts";
import { mediaClass } from "./media-class.ts";
import type { MarkedText, MediaPart, TelegramPart, TextPart } from "./part.ts";
import { captionLimit } from "./render.ts";
import { sendThread } from "./route.ts";

/**
 * A stored part → the call that sends it, for an address and a way of sending that may change between
 * attempts (without mark-up, without the topic, as a document, to a moved chat). Pure but for the file
 * bytes handed in.
 */
export interface Attempt {
  readonly chatId: string;
  readonly thread: string | undefined;
  /** Send the plain text: Telegram could not read the mark-up. */
  readonly plain: boolean;
  /** Send photos as files: Telegram could not show them. */
  readonly asDocument: boolean;
}

export interface LoadedFile {
  readonly file: OutboundMedia;
  readonly media: FetchedMedia;
}

const maxPhotoBytes = 10 * 1024 * 1024;

export function buildRequest(
  part: TelegramPart,
  files: readonly LoadedFile[],
  attempt: Attempt,
): Request<unknown> {
  if (part.type === "text") return textRequest(part, attempt);
  const [first, ...others] = files;
  // The files are gone; what was said about them is not.
  if (!first) return textRequest(captionAlone(part), attempt);
  return others.length === 0
    ? fileRequest(part, first, attempt)
    : albumRequest(part, files, attempt);
}

function textRequest(part: TextPart, attempt: Attempt): Request<unknown> {
  const payload = {
    ...address(part, attempt),
    ...textFields(part.text, attempt.plain),
    ...(!part.linkPreview && { link_preview_options: { is_disabled: true } }),
    ...markup(part),
  };
  return (raw, signal) => raw.sendMessage(payload, signal);
}

function captionAlone(part: MediaPart): TextPart {
  const text = part.caption ?? { html: "", plain: "" };
  const { replyTo, keyboard } = part;
  return { type: "text", text, linkPreview: true, replyTo, keyboard };
}

function fileRequest(part: MediaPart, loaded: LoadedFile, attempt: Attempt): Request<unknown> {
  const type = sendType(loaded, attempt);
  const file = inputFile(loaded);
  const payload = {
    ...address(part, attempt),
    ...captionFields(part.caption, attempt.plain),
    ...markup(part),
  };
  switch (type) {
    case "photo":
      return (raw, signal) => raw.sendPhoto({ ...payload, photo: file }, signal);
    case "video":
      return (raw, signal) => raw.sendVideo({ ...payload, video: file }, signal);
    case "voice":
      return (raw, signal) => raw.sendVoice({ ...payload, voice: file }, signal);
    case "audio":
      return (raw, signal) => raw.sendAudio({ ...payload, audio: file }, signal);
    case "document":
      return (raw, signal) => raw.sendDocument({ ...payload, document: file }, signal);
  }
}

function albumRequest(
  part: MediaPart,
  files: readonly LoadedFile[],
  attempt: Attempt,
): Request<unknown> {
  const item = <Type extends string>(type: Type, loaded: LoadedFile, index: number) => ({
    type,
    media: inputFile(loaded),
    ...(index === 0 && captionFields(part.caption, attempt.plain)),
  });
  const types = files.map((loaded) => sendType(loaded, attempt));
  const to = address(part, attempt);
  if (types.every((type) => type === "audio")) {
    const media = files.map((loaded, index) => item("audio", loaded, index));
    return (raw, signal) => raw.sendMediaGroup({ ...to, media }, signal);
  }
  // One picture too large for a photo makes an album of documents.
  if (types.some((type) => type !== "photo" && type !== "video")) {
    const media = files.map((loaded, index) => item("document", loaded, index));
    return (raw, signal) => raw.sendMediaGroup({ ...to, media }, signal);
  }
  const media = files.map((loaded, index) =>
    types[index] === "video" ? item("video", loaded, index) : item("photo", loaded, index),
  );
  return (raw, signal) => raw.sendMediaGroup({ ...to, media }, signal);
}

function sendType({ file, media }: LoadedFile, { asDocument }: Attempt) {
  const { type } = mediaClass(file);
  const unfit = asDocument || media.bytes.length > maxPhotoBytes;
  return type === "photo" && unfit ? "document" : type;
}

/** Names go into a header unquoted: nothing that could end it. */
function inputFile({ file, media }: LoadedFile): InputFile {
  const name = (file.name || media.name || "file").replace(/[\p{Cc}";\\/]+/gu, "_").slice(0, 120);
  return new InputFile(media.bytes, name);
}

function address(part: TelegramPart, attempt: Attempt) {
  const thread = sendThread(attempt.thread);
  const replyTo = Number(part.replyTo);
  return {
    chat_id: attempt.chatId,
    ...(thread !== undefined && { message_thread_id: thread }),
    ...(part.replyTo !== undefined &&
      Number.isSafeInteger(replyTo) && {
        reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
      }),
  };
}

export function textFields(text: MarkedText, plain: boolean) {
  return plain ? { text: text.plain } : { text: text.html, parse_mode: "HTML" as const };
}

function captionFields(caption: MarkedText | undefined, plain: boolean) {
  if (!caption) return {};
  return plain
    ? { caption: caption.plain.slice(0, captionLimit) }
    : { caption: caption.html, parse_mode: "HTML" as const };
}

export function markup(part: Pick<TelegramPart, "keyboard">) {
  return part.keyboard ? { reply_markup: { inline_keyboard: part.keyboard } } : {};
}
