import type { Attachment, InboundMessage } from "#contract/message.ts";
import type { QueueRow } from "./row.ts";

/**
 * The parts of an album as one message: files in the order in which they were sent (by message id, as
 * a number), whatever order they came in. A single caption on the first file speaks for the album; any
 * other captions are tied to their file ("image 3: after"), because a model sees only a row of images.
 */
export function mergeAlbum<Row extends QueueRow>(parts: readonly Row[]): Row {
  const sorted = [...parts].sort(
    (a, b) =>
      compareMessageIds(a.message.platformMessageId, b.message.platformMessageId) || a.seq - b.seq,
  );
  const first = sorted[0];
  if (first === undefined) throw new Error("an album has at least one part");
  if (sorted.length === 1) return first;
  const files = sorted.flatMap((row) => captioned(row.message));
  const loose = sorted.flatMap(({ message }) => (isCaption(message) ? [] : [message.text]));
  const shared = sorted.flatMap((row) => row.message.shared ?? []).join("\n");
  const message: InboundMessage = {
    ...first.message,
    text: [...loose, ...captionLines(files)].filter((line) => line !== "").join("\n"),
    ...(shared === "" ? {} : { shared }),
    attachments: files.map(({ caption: _caption, ...file }) => file),
    mentionsSelf: sorted.some((row) => row.message.mentionsSelf),
    forwarded: sorted.some((row) => row.message.forwarded),
    sentAt: Math.min(...sorted.map((row) => row.message.sentAt)),
  };
  return { ...first, message, seq: Math.min(...sorted.map((row) => row.seq)) };
}

/** Numeric where both ids are numbers, of any length and with decimals; else by text. */
export function compareMessageIds(a: string, b: string): number {
  const [left, right] = [digitsOf(a), digitsOf(b)];
  if (left === null || right === null) return a < b ? -1 : Number(a > b);
  const order = left.whole.length - right.whole.length || compareText(left.whole, right.whole);
  return order || compareText(left.fraction, right.fraction);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function digitsOf(id: string): { whole: string; fraction: string } | null {
  const match = /^0*(\d+?)(?:\.(\d*?)0*)?$/.exec(id);
  return match ? { whole: match[1] ?? "", fraction: match[2] ?? "" } : null;
}

/** The text of a message with one file is that file's caption. */
function isCaption(message: InboundMessage): boolean {
  return message.attachments.length === 1;
}

function captioned(message: InboundMessage): Attachment[] {
  if (!isCaption(message)) return message.attachments;
  return message.attachments.map((file) => {
    const caption = file.caption ?? message.text;
    return caption === "" ? file : { ...file, caption };
  });
}

function captionLines(files: readonly Attachment[]): string[] {
  const captions = files.flatMap(({ kind, caption }, index) =>
    caption ? [{ label: `${kind} ${index + 1}`, caption }] : [],
  );
  const [only] = captions;
  if (only && captions.length === 1 && files[0]?.caption) return [only.caption];
  return captions.map(({ label, caption }) => `${label}: ${caption}`);
}
