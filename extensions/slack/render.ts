import type { OutboundPart } from "#contract/channel.ts";
import type { OutboundMessage } from "#contract/message.ts";
import type { Block } from "#kit/markdown/document.ts";
import { parseMarkdown } from "#kit/markdown/parse.ts";
import { isBlank, toPlainText } from "#kit/markdown/plain.ts";
import { splitDocument } from "#kit/markdown/split.ts";
import { toMrkdwn } from "./mrkdwn.ts";
import { needsSections, sectionLimit, type MediaPayload, type TextPayload } from "./payload.ts";

/**
 * Markdown → parts: the text cut at 8,000 characters (counted after escaping, as Slack stores it), then
 * one part per file. Buttons go under the last text, because a file's message cannot carry any.
 */
export const messageLimit = 8000;

export function renderMessage(message: OutboundMessage): OutboundPart[] {
  const buttons = (message.buttons ?? []).filter((row) => row.length > 0).map((row) => [...row]);
  const groups = textGroups(message.text, buttons.length > 0);
  const texts = groups.map((blocks, index) => {
    const isLast = index === groups.length - 1;
    return textPart(blocks, isLast ? buttons : []);
  });
  const files = (message.media ?? []).map(({ kind, mediaKey, name }) => {
    const payload: MediaPayload = { type: "media", kind, mediaKey, name };
    return { payload: { ...payload }, text: name };
  });
  return [...texts, ...files];
}

function textGroups(text: string, hasButtons: boolean): Block[][] {
  const blocks = parseMarkdown(text);
  if (!isBlank(blocks)) {
    return splitDocument(blocks, { fits: (group) => toMrkdwn(group).length <= messageLimit });
  }
  return hasButtons ? [parseMarkdown("Choose:")] : [];
}

function textPart(
  blocks: readonly Block[],
  buttons: NonNullable<TextPayload["buttons"]>,
): OutboundPart {
  const text = toMrkdwn(blocks);
  const payload: TextPayload = {
    type: "text",
    text,
    ...(buttons.length > 0 || needsSections(text) ? { sections: sectionsOf(blocks) } : {}),
    ...(buttons.length > 0 ? { buttons } : {}),
  };
  return { payload: { ...payload }, text: toPlainText(blocks) };
}

function sectionsOf(blocks: readonly Block[]): string[] {
  const groups = splitDocument(blocks, { fits: (group) => toMrkdwn(group).length <= sectionLimit });
  return groups.map(toMrkdwn);
}
