import type { Attachment, MediaKind } from "#contract/message.ts";
import type { SlackFile } from "./wire.ts";

/** A file of an event → a normal attachment. Its `ref` is the private URL, or the file id when Slack
 * withholds the URL (shared channels) and it must be asked for. Pure: nothing is fetched here. */
export const maxAttachmentBytes = 20 * 1024 * 1024;

export function toAttachment(file: SlackFile): Attachment {
  const unavailable = whyUnavailable(file);
  const ref = file.url_private_download ?? file.url_private ?? file.id;
  const name = file.name ?? file.title;
  return {
    kind: kindOf(file),
    ...(unavailable === undefined ? { ref } : { unavailable }),
    ...(file.mimetype === undefined ? {} : { mimeType: file.mimetype }),
    ...(name === undefined ? {} : { name }),
    ...(file.size === undefined ? {} : { size: file.size }),
  };
}

function whyUnavailable(file: SlackFile): string | undefined {
  if (file.mode === "tombstone") return "deleted in Slack";
  if (file.mode === "hidden_by_limit") return "hidden by the workspace's storage limit";
  if (file.mode === "external") return "kept at another service, not in Slack";
  if (file.file_access === "access_denied") return "Slack denies access to it";
  if (file.size !== undefined && file.size > maxAttachmentBytes) return "larger than 20 MB";
  return undefined;
}

function kindOf(file: SlackFile): MediaKind {
  if (file.subtype === "slack_audio") return "audio";
  const family = file.mimetype?.split("/")[0];
  return family === "image" || family === "audio" || family === "video" ? family : "file";
}
