/**
 * Blocks as text without mark-up: `toPlainText` to be read (bullets, numbers, link targets), and
 * `visibleText` as the measure of what must not get lost. Plain text is the fallback when a platform
 * refuses the rendered form, so it must not need escaping or parsing by anybody.
 */
import type { Block, Inline, List, ListItem, Table } from "./document.ts";
import { inlineText } from "./inline.ts";

const ruleText = "———";

/** Blocks → readable text without any mark-up, with bullets, numbers and link targets. */
export function toPlainText(blocks: readonly Block[]): string {
  return blocks.map(plainBlock).join("\n\n");
}

/**
 * The text of the runs and code blocks alone: the leaves that are not empty (paragraphs, cells …), joined by
 * line ends, without bullets, numbers, quote marks or link targets: what must survive splitting and rendering.
 */
export function visibleText(blocks: readonly Block[]): string {
  return blocks
    .flatMap(leafTexts)
    .filter((text) => text !== "")
    .join("\n");
}

/** True when nothing of the blocks can be seen: no character but white space, and no rule. */
export function isBlank(blocks: readonly Block[]): boolean {
  return blocks.every(isBlankBlock);
}

function isBlankBlock(block: Block): boolean {
  if (block.type === "rule") return false;
  if (block.type === "quote") return isBlank(block.children);
  if (block.type === "list") return block.items.every((item) => isBlank(item.children));
  return leafTexts(block).every((text) => text.trim() === "");
}

function leafTexts(block: Block): string[] {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return [inlineText(block.content)];
    case "code":
      return [block.text];
    case "quote":
      return block.children.flatMap(leafTexts);
    case "list":
      return block.items.flatMap((item) => item.children.flatMap(leafTexts));
    case "table":
      return [block.header, ...block.rows].flatMap((row) => row.map(inlineText));
    case "rule":
      return [];
  }
}

function plainBlock(block: Block): string {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return plainInline(block.content);
    case "code":
      return block.text;
    case "quote":
      return prefixLines(toPlainText(block.children), "> ", "> ");
    case "list":
      return plainList(block);
    case "table":
      return plainTable(block);
    case "rule":
      return ruleText;
  }
}

/** A link's target follows its text in parentheses, unless the text is the target already. */
function plainInline(content: Inline): string {
  let text = "";
  let label = "";
  content.forEach((run, index) => {
    text += run.text;
    const url = run.marks.link;
    if (url === undefined) return;
    label += run.text;
    if (content[index + 1]?.marks.link === url) return;
    if (!namesTarget(label, url)) text += ` (${url})`;
    label = "";
  });
  return text;
}

function namesTarget(label: string, url: string): boolean {
  return url === label || url === `http://${label}` || url === `mailto:${label}`;
}

function plainList(list: List): string {
  return list.items
    .map((item, index) => {
      const marker = list.ordered ? `${list.start + index}. ` : "• ";
      const rest = " ".repeat(marker.length);
      return prefixLines(plainItem(item), item.continued === true ? rest : marker, rest);
    })
    .join("\n");
}

function plainItem(item: ListItem): string {
  const box = item.checked === undefined || item.continued === true ? "" : checkbox(item.checked);
  return box + item.children.map(plainBlock).join("\n");
}

function checkbox(checked: boolean): string {
  return checked ? "[x] " : "[ ] ";
}

function plainTable(table: Table): string {
  const rows = table.header.length > 0 ? [table.header, ...table.rows] : table.rows;
  return rows.map((row) => row.map(plainInline).join(" | ")).join("\n");
}

function prefixLines(text: string, first: string, rest: string): string {
  return first + text.replaceAll("\n", `\n${rest}`);
}
