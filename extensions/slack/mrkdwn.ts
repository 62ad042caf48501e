import type { Block, List, ListItem, Run, Table } from "#kit/markdown/document.ts";
import { toPlainText } from "#kit/markdown/plain.ts";
import { escapeMrkdwn, inlineToMrkdwn } from "./mrkdwn-inline.ts";

/**
 * Blocks → Slack's mrkdwn. Slack has no headings (bold lines here), no tables (fixed-width text), no
 * nested quotes (flattened) and no code languages (left out: Slack would show the word). Fences start at
 * the left edge, whatever they are in, because Slack reads them nowhere else.
 */
interface Line {
  readonly text: string;
  /** Works only at the left edge (a fence, a quote): takes no prefix. */
  readonly atEdge: boolean;
}

const bullets = ["•", "◦", "▪"] as const;
const indent = "    ";
const ruleText = "———";
const columnLimit = 40;
const blank: Line = { text: "", atEdge: false };

export function toMrkdwn(blocks: readonly Block[]): string {
  return blocksToLines(blocks, 0)
    .map((line) => line.text)
    .join("\n");
}

/** `depth` counts the lists around. Blocks are set apart by an empty line, except inside lists. */
function blocksToLines(blocks: readonly Block[], depth: number): Line[] {
  return blocks.flatMap((block, index) => {
    const lines = blockToLines(block, depth);
    return index === 0 || depth > 0 ? lines : [blank, ...lines];
  });
}

function blockToLines(block: Block, depth: number): Line[] {
  switch (block.type) {
    case "paragraph":
      return textLines(inlineToMrkdwn(block.content));
    case "heading":
      return textLines(inlineToMrkdwn(block.content.map(embolden)));
    case "code":
      return fence(block.text);
    case "quote":
      return blocksToLines(block.children, depth).map(quoted);
    case "list":
      return block.items.flatMap((item, index) =>
        itemToLines(markerOf(block, index, depth), item, depth),
      );
    case "table":
      return fence(tableText(block));
    case "rule":
      return textLines(ruleText);
  }
}

function embolden(run: Run): Run {
  return { text: run.text, marks: { ...run.marks, bold: true } };
}

function textLines(text: string): Line[] {
  return text.split("\n").map((line) => ({ text: line, atEdge: false }));
}

/** A fence inside the text would end ours. */
function fence(text: string): Line[] {
  const safe = escapeMrkdwn(text).replaceAll("```", "``\u200b`");
  return ["```", ...safe.split("\n"), "```"].map((line) => ({ text: line, atEdge: true }));
}

function quoted(line: Line): Line {
  return line.atEdge ? line : { text: `> ${line.text}`, atEdge: true };
}

/** "" for the rest of an item that was cut. */
function markerOf(list: List, index: number, depth: number): string {
  const item = list.items[index];
  if (item === undefined || item.continued === true) return "";
  if (item.checked !== undefined) return item.checked ? "☑ " : "☐ ";
  if (list.ordered) return `${list.start + index}. `;
  return `${bullets[depth % bullets.length] ?? "•"} `;
}

/** Every level adds its indentation to the lines that come up from below. */
function itemToLines(marker: string, item: ListItem, depth: number): Line[] {
  const lines = blocksToLines(item.children, depth + 1);
  if (marker !== "" && lines[0]?.atEdge !== false) lines.unshift(blank);
  return lines.map((line, index) => {
    if (line.atEdge) return line;
    return { text: `${index === 0 && marker !== "" ? marker : indent}${line.text}`, atEdge: false };
  });
}

/** Columns padded to their widest cell, but never beyond what a phone shows without wrapping twice. */
function tableText(table: Table): string {
  const rows = (table.header.length > 0 ? [table.header, ...table.rows] : table.rows).map((row) =>
    row.map((cell) => toPlainText([{ type: "paragraph", content: cell }]).replaceAll("\n", " ")),
  );
  const widths = table.alignment.map((_, column) =>
    Math.min(columnLimit, Math.max(0, ...rows.map((row) => displayWidth(row[column] ?? "")))),
  );
  const lines = rows.map((row) => padded(row, widths));
  if (table.header.length > 0)
    lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("-+-"));
  return lines.join("\n");
}

function padded(row: readonly string[], widths: readonly number[]): string {
  return row
    .map(
      (cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell))),
    )
    .join(" | ")
    .trimEnd();
}

/** Columns of a fixed-width font: East Asian and pictographic characters take two. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width += /[\u1100-\uffdc]|\p{Extended_Pictographic}/u.test(character) ? 2 : 1;
  return width;
}
