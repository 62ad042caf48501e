import type { FetchedMedia } from "#contract/channel.ts";
import type { ModelMessage, UserPart } from "#contract/model.ts";
import { toBase64 } from "./base64.ts";

/**
 * Images and files of a request → what can be shown to this model: the bytes, the text, or a note in
 * their place. One file that is gone, too large or of an unknown kind must not fail every later request
 * of a conversation, so each such case becomes a note. Never rejects.
 */
export type ShownMedia =
  | { readonly kind: "image"; readonly mimeType: ImageType; readonly base64: string }
  | { readonly kind: "pdf"; readonly name: string; readonly base64: string }
  | { readonly kind: "text"; readonly text: string };

export type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

export interface MediaOptions {
  readonly images: boolean;
  readonly documents: boolean;
  readMedia(mediaKey: string): Promise<FetchedMedia | null>;
}

type MediaPart = Exclude<UserPart, { type: "text" }>;

const imageTypes: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
/** Anthropic's limit, the smallest of the large providers, counted in base64. */
const maxImageBytes = Math.floor((5 * 1024 * 1024 * 3) / 4);
const maxPdfBytes = 16 * 1024 * 1024;
const maxTextCharacters = 60_000;
const textTypes =
  /^(text\/|application\/(json|xml|yaml|x-yaml|javascript|x-sh|toml|sql)\b|[^;]+\+(json|xml)\b)/;

/** Loads every image and file once. Look-up is by the part itself. */
export async function loadMedia(
  messages: readonly ModelMessage[],
  options: MediaOptions,
): Promise<Map<UserPart, ShownMedia>> {
  const parts = messages
    .flatMap((message) => (message.role === "user" ? message.content : []))
    .filter((part) => part.type !== "text");
  const shown = await Promise.all(
    parts.map(async (part) => [part, await showMedia(part, options)] as const),
  );
  return new Map(shown);
}

async function showMedia(part: MediaPart, options: MediaOptions): Promise<ShownMedia> {
  const label = `${part.type} ${JSON.stringify(part.name)} (${part.mimeType})`;
  if (part.type === "image" && !options.images) {
    return note(`${label} was sent; this model cannot see images`);
  }
  const media = await read(part.mediaKey, options);
  if (media === null || media.bytes.length === 0) return note(`${label} is no longer available`);
  const imageType = sniffImage(media.bytes) ?? declaredImage(part.mimeType);
  if (imageType !== undefined) {
    if (!options.images) return note(`${label} was sent; this model cannot see images`);
    if (media.bytes.length > maxImageBytes) return note(`${label} is too large to be shown`);
    return { kind: "image", mimeType: imageType, base64: toBase64(media.bytes) };
  }
  if (part.mimeType === "application/pdf") return pdf(part, media.bytes, options);
  if (textTypes.test(part.mimeType)) return fileText(part, media.bytes);
  return note(`${label} is of a kind that this model cannot read`);
}

async function read(mediaKey: string, options: MediaOptions): Promise<FetchedMedia | null> {
  try {
    return await options.readMedia(mediaKey);
  } catch {
    return null; // Said in its place, like a file that is gone: the conversation goes on without it.
  }
}

function pdf(part: MediaPart, bytes: Uint8Array, options: MediaOptions): ShownMedia {
  const label = `file ${JSON.stringify(part.name)} (PDF)`;
  if (!options.documents) return note(`${label} was sent; this model cannot read it directly`);
  if (bytes.length > maxPdfBytes) return note(`${label} is too large to be shown`);
  return { kind: "pdf", name: part.name, base64: toBase64(bytes) };
}

function fileText(part: MediaPart, bytes: Uint8Array): ShownMedia {
  const text = new TextDecoder().decode(bytes);
  const head = `[file ${JSON.stringify(part.name)} (${part.mimeType})]`;
  if (text.length <= maxTextCharacters) return { kind: "text", text: `${head}\n${text}` };
  const cut = text.slice(0, maxTextCharacters).toWellFormed();
  return { kind: "text", text: `${head}\n${cut}\n[cut: ${text.length} characters in all]` };
}

function note(text: string): ShownMedia {
  return { kind: "text", text: `[${text}]` };
}

function declaredImage(mimeType: string): ImageType | undefined {
  const type = mimeType === "image/jpg" ? "image/jpeg" : mimeType;
  return imageTypes.includes(type) ? (type as ImageType) : undefined;
}

/** Providers refuse an image whose declared type is not its real one. */
function sniffImage(bytes: Uint8Array): ImageType | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith("\u0089PNG")) return "image/png";
  if (head.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return head.startsWith("RIFF") && head.slice(8) === "WEBP" ? "image/webp" : undefined;
}
