import type { OutboundMedia } from "#contract/message.ts";

/** How Telegram takes a file: by which method, and with what it may share an album. */
export interface MediaClass {
  readonly type: "photo" | "video" | "audio" | "voice" | "document";
  /** Photos and videos mix, documents and audio stay among themselves, voice notes stand alone. */
  readonly album: "visual" | "audio" | "document" | null;
}

const photoTypes = /^image\/(jpeg|png|webp)$/;
const voiceTypes = /^audio\/(ogg|opus)/;
const audioTypes = /^audio\/(mpeg|mp3|mp4|x-m4a|m4a|aac)/;

export function mediaClass(file: Pick<OutboundMedia, "kind" | "mimeType">): MediaClass {
  if (file.kind === "image" && photoTypes.test(file.mimeType)) {
    return { type: "photo", album: "visual" };
  }
  if (file.kind === "video" && file.mimeType === "video/mp4") {
    return { type: "video", album: "visual" };
  }
  if (file.kind === "audio" && voiceTypes.test(file.mimeType))
    return { type: "voice", album: null };
  if (file.kind === "audio" && audioTypes.test(file.mimeType)) {
    return { type: "audio", album: "audio" };
  }
  return { type: "document", album: "document" };
}
