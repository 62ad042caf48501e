import { z } from "zod";
import type { JsonObject, JsonValue } from "#contract/json.ts";
import { mediaKinds, outboundButtonSchema } from "#contract/message.ts";
import { truncateText } from "#kit/text/graphemes.ts";

/**
 * What render stores in the outbox and send reads back: a text with optional sections and buttons, or
 * one file. Blocks are built from it at the last moment, so that stored rows outlive changes of blocks.
 */
export const textPayloadSchema = z.object({
  type: z.literal("text"),
  /** mrkdwn, escaped. */
  text: z.string(),
  /** The same text cut for section blocks; present when `text` alone is not enough (see needsSections). */
  sections: z.array(z.string()).optional(),
  buttons: z.array(z.array(outboundButtonSchema)).optional(),
});
export type TextPayload = z.infer<typeof textPayloadSchema>;

export const mediaPayloadSchema = z.object({
  type: z.literal("media"),
  kind: z.enum(mediaKinds),
  mediaKey: z.string(),
  name: z.string(),
});
export type MediaPayload = z.infer<typeof mediaPayloadSchema>;

export const payloadSchema = z.discriminatedUnion("type", [textPayloadSchema, mediaPayloadSchema]);

/** Longest text of one section block. */
export const sectionLimit = 3000;
/** chat.update takes only this many bytes of text; chat.postMessage takes 40,000 characters. */
const updateTextBytes = 3900;
const buttonsPerRow = 25;
const labelLimit = 75;

/** A longer text can be posted, but not put into an existing message, except as section blocks. */
export function needsSections(text: string): boolean {
  return new TextEncoder().encode(text).length > updateTextBytes;
}

/** Section blocks and button rows, or undefined when the text alone says everything. */
export function blocksOf(payload: TextPayload): JsonValue[] | undefined {
  const sections = (payload.sections ?? []).map(section);
  const rows = (payload.buttons ?? []).filter((row) => row.length > 0).map(actionRow);
  return sections.length + rows.length === 0 ? undefined : [...sections, ...rows];
}

/** Shown in notifications when blocks carry the text; short enough for every method. */
export function fallbackText(text: string): string {
  if (!needsSections(text)) return text;
  const bytes = new TextEncoder().encode(text).subarray(0, updateTextBytes - 3);
  // `stream` leaves out a character that the cut has split.
  const cut = new TextDecoder().decode(bytes, { stream: true });
  return `${cut.replace(/&[a-z]*$|<[^<>]*$/, "")}…`;
}

/** `verbatim`: Slack must not look for names, channels and URLs of its own in the text. */
function section(text: string): JsonObject {
  return { type: "section", expand: true, text: { type: "mrkdwn", text, verbatim: true } };
}

function actionRow(
  row: readonly z.infer<typeof outboundButtonSchema>[],
  index: number,
): JsonObject {
  return {
    type: "actions",
    elements: row.slice(0, buttonsPerRow).map((button, column) => ({
      type: "button",
      action_id: `pagurus:${index}:${column}`,
      text: { type: "plain_text", text: clipLabel(button.label), emoji: true },
      value: button.data,
    })),
  };
}

/** Labels are plain text and may not be empty. */
function clipLabel(label: string): string {
  if (label.length <= labelLimit) return label === "" ? "…" : label;
  return `${truncateText(label, labelLimit - 1)}…`;
}
