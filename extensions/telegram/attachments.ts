import type { Attachment, MediaKind } from "#contract/message.ts";
import type { TelegramFile, TelegramMessage } from "./update-schema.ts";

/** The files of a message. What cannot be fetched is listed too, with the reason. */
export const maxDownloadBytes = 20 * 1024 * 1024;

const viewableImages = /^image\/(jpeg|png|gif|webp)$/;

interface Source {
  readonly kind: MediaKind;
  readonly file: TelegramFile;
  readonly mimeType?: string | undefined;
  readonly name: string;
}

/** At most one file comes with a message; an album is several messages. */
export function attachmentsOf(message: TelegramMessage): Attachment[] {
  const source = sourceOf(message);
  if (source) return [attachment(source, message)];
  if (message.sticker) {
    const emoji = message.sticker.emoji;
    return [{ kind: "image", unavailable: emoji ? `sticker ${emoji}` : "sticker" }];
  }
  if (message.paid_media !== undefined) return [{ kind: "image", unavailable: "paid media" }];
  if (message.story !== undefined) return [{ kind: "video", unavailable: "story" }];
  return [];
}

function sourceOf(message: TelegramMessage): Source | undefined {
  const photo = largest(message.photo ?? []);
  if (photo) return { kind: "image", file: photo, mimeType: "image/jpeg", name: "photo.jpg" };
  const { voice, audio, video, animation, document } = message;
  if (voice) return { kind: "audio", file: voice, mimeType: "audio/ogg", name: "voice.ogg" };
  if (audio) return { kind: "audio", file: audio, mimeType: "audio/mpeg", name: "audio.mp3" };
  const note = message.video_note;
  // An animation comes with a `document` twin: it is one file.
  const film = video ?? animation ?? note;
  if (film) return { kind: "video", file: film, mimeType: "video/mp4", name: "video.mp4" };
  if (!document) return undefined;
  const image = viewableImages.test(document.mime_type ?? "");
  return { kind: image ? "image" : "file", file: document, name: "document" };
}

function largest(sizes: readonly TelegramFile[]): TelegramFile | undefined {
  const area = (size: TelegramFile) => (size.width ?? 0) * (size.height ?? 0);
  return sizes.toSorted((a, b) => area(b) - area(a))[0];
}

function attachment(source: Source, message: TelegramMessage): Attachment {
  const { file, kind } = source;
  const mimeType = file.mime_type ?? source.mimeType;
  const tooLarge = (file.file_size ?? 0) > maxDownloadBytes;
  return {
    kind,
    ...(tooLarge ? { unavailable: "larger than 20 MB" } : { ref: file.file_id }),
    ...(mimeType !== undefined && { mimeType }),
    name: file.file_name ?? source.name,
    ...(file.file_size !== undefined && { size: file.file_size }),
    ...(message.media_group_id !== undefined &&
      message.caption !== undefined && { caption: message.caption }),
  };
}
