import type { Block } from "./document.ts";

/** Blocks → readable text without any mark-up, with bullets, numbers and link targets. */
export function toPlainText(blocks: readonly Block[]): string {
  return visibleText(blocks);
}

/**
 * The text of the runs and code blocks alone, one line per leaf (paragraph, cell …), without bullets,
 * numbers, quote marks or link targets: what must survive splitting and rendering.
 */
export function visibleText(_blocks: readonly Block[]): string {
  return "";
}
