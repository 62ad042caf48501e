import type { FetchedMedia } from "#contract/channel.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { readBounded } from "#kit/bounded-bytes.ts";
import type { BotApi } from "./api.ts";
import { maxDownloadBytes } from "./attachments.ts";
import { refusalText } from "./fault.ts";

/**
 * A file's bytes by its id: ask for the path, then download, never more than 20 MB whatever is declared.
 * Errors are for the person and the model: they name neither the token nor the address.
 */
const downloadTimeoutMs = 60_000;
const tooLarge = "larger than 20 MB";

export async function fetchTelegramFile(
  api: BotApi,
  fileId: string,
): Promise<Result<FetchedMedia, string>> {
  const found = await api.call((raw, signal) => raw.getFile({ file_id: fileId }, signal));
  if (!found.ok) {
    const text = refusalText(found.error);
    return err(/file is too big/i.test(text) ? tooLarge : text);
  }
  const path = found.value.file_path;
  if (path === undefined) return err("Telegram does not offer the file for download");
  if ((found.value.file_size ?? 0) > maxDownloadBytes) return err(tooLarge);
  if (!isRelative(path)) {
    return err("the Bot API server keeps files on its own disk (local mode); it must serve them");
  }
  return download(api, path);
}

function isRelative(path: string): boolean {
  return !path.startsWith("/") && !path.includes("\\") && !path.split("/").includes("..");
}

async function download(api: BotApi, path: string): Promise<Result<FetchedMedia, string>> {
  const { apiRoot, botToken } = api.settings;
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  try {
    const response = await api.ports.fetch(`${apiRoot}/file/bot${botToken}/${encoded}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(downloadTimeoutMs),
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      return err(`the download failed (${response.status})`);
    }
    const bytes = await readBounded(response.body, maxDownloadBytes);
    if (!bytes) return err(tooLarge);
    const name = path.split("/").at(-1) ?? "file";
    return ok({ bytes, mimeType: mimeTypeOf(name), name });
  } catch {
    return err("the download broke off"); // The error's text may hold the address with the token.
  }
}

/** By the name's ending; Telegram serves everything as a stream of bytes. */
const mimeTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  m4a: "audio/mp4",
  md: "text/markdown",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  oga: "audio/ogg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  pdf: "application/pdf",
  png: "image/png",
  txt: "text/plain",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  zip: "application/zip",
};

function mimeTypeOf(name: string): string {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  return Object.hasOwn(mimeTypes, ending)
    ? (mimeTypes[ending] ?? "application/octet-stream")
    : "application/octet-stream";
}
