import type { OutboundPart } from "#contract/channel.ts";
import type {
  OutboundButton,
  OutboundMedia,
  OutboundMessage,
  ReplyRoute,
} from "#contract/message.ts";
import type { Block } from "#kit/markdown/document.ts";
import { parseMarkdown } from "#kit/markdown/parse.ts";
import { toPlainText } from "#kit/markdown/plain.ts";
import { splitDocument } from "#kit/markdown/split.ts";
import { renderHtml } from "./html.ts";
import { mediaClass } from "./media-class.ts";
import type { Keyboard, MarkedText, MediaPart, TelegramPart } from "./part.ts";

/**
 * An answer → the requests that carry it: files first (albums where Telegram has them), then text. The
 * text goes as a caption only if it fits whole below a single file or album. Buttons hang on the
 * last part, which is therefore never an album. Pure.
 */
export const textLimit = 4096;
export const captionLimit = 1024;
/** What the platform takes in one request, and the entities it honours. */
const maxBytes = 32_000;
const maxEntities = 100;
const albumSize = 10;
const maxButtonBytes = 64;

export function renderTelegram(message: OutboundMessage, route: ReplyRoute): OutboundPart[] {
  const blocks = parseMarkdown(message.text);
  const keyboard = keyboardOf(message.buttons ?? []);
  const texts = renderText(blocks);
  const grouped = groupMedia(message.media ?? [], texts.length > 0 || keyboard === undefined);
  const caption = captionFor(blocks, { texts, grouped, keyboard });
  const media = grouped.map((files, index): MediaPart => ({
    type: "media",
    files,
    ...(index === 0 && caption && { caption }),
  }));
  const remaining = caption ? [] : texts;
  const text = remaining.map((marked): TelegramPart => ({
    type: "text",
    text: marked,
    linkPreview: remaining.length === 1,
  }));
  return finish([...media, ...text], keyboard, route);
}

function finish(
  parts: readonly TelegramPart[],
  keyboard: Keyboard | undefined,
  route: ReplyRoute,
): OutboundPart[] {
  return parts.map((part, index) => ({
    payload: {
      ...part,
      ...(index === 0 && route.replyToMessageId && { replyTo: route.replyToMessageId }),
      ...(index === parts.length - 1 && keyboard && { keyboard }),
    },
    text: part.type === "text" ? part.text.plain : (part.caption?.plain ?? ""),
  }));
}

/** The text as messages: each within every limit at once. */
export function renderText(blocks: readonly Block[]): MarkedText[] {
  const fits = (group: readonly Block[]) => fitsIn(group, textLimit);
  return splitDocument(blocks, { fits })
    .map((group) => marked(group, textLimit))
    .filter((text) => text.plain.trim() !== "");
}

function fitsIn(blocks: readonly Block[], limit: number): boolean {
  const { text, html, entities } = renderHtml(blocks);
  return text.length <= limit && entities <= maxEntities && utf8Bytes(html) <= maxBytes;
}

function marked(blocks: readonly Block[], limit: number): MarkedText {
  const { html, text } = renderHtml(blocks);
  const plain = toPlainText(blocks);
  // Written-out link targets may not fit: then the visible text must do.
  return { html, plain: plain.length <= limit ? plain : text };
}

interface CaptionQuestion {
  readonly texts: readonly MarkedText[];
  readonly grouped: readonly (readonly OutboundMedia[])[];
  readonly keyboard: Keyboard | undefined;
}

function captionFor(blocks: readonly Block[], question: CaptionQuestion): MarkedText | undefined {
  const { texts, grouped, keyboard } = question;
  const [only, ...others] = grouped;
  if (texts.length !== 1 || !only || others.length > 0) return undefined;
  if (only.length > 1 && keyboard) return undefined;
  return fitsIn(blocks, captionLimit) ? marked(blocks, captionLimit) : undefined;
}

/** Neighbours of one class, up to ten, travel together. */
function groupMedia(media: readonly OutboundMedia[], albums: boolean): OutboundMedia[][] {
  const groups: OutboundMedia[][] = [];
  for (const file of media) {
    const last = groups.at(-1);
    const fileClass = mediaClass(file).album;
    const joins =
      albums &&
      fileClass !== null &&
      last?.[0] !== undefined &&
      last.length < albumSize &&
      mediaClass(last[0]).album === fileClass;
    if (joins) last.push(file);
    else groups.push([file]);
  }
  return groups;
}

/** A button Telegram would refuse is left out rather than the whole message. */
function keyboardOf(rows: readonly (readonly OutboundButton[])[]): Keyboard | undefined {
  const keyboard = rows
    .map((row) =>
      row
        .filter(
          ({ label, data }) => label !== "" && data !== "" && utf8Bytes(data) <= maxButtonBytes,
        )
        .map(({ label, data }) => ({ text: label, callback_data: data })),
    )
    .filter((row) => row.length > 0);
  return keyboard.length > 0 ? keyboard : undefined;
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
