import type { Block, Code, Inline, List, ListItem, Quote, Table } from "#kit/markdown/document.ts";
import { type InlineNode, nestInline } from "#kit/markdown/inline.ts";
import { tableLines } from "./table.ts";

/**
 * Blocks → Telegram HTML, with what the platform counts: visible UTF-16 units, entities, bytes. Every
 * tag is closed where it was opened; only `& < > "` are escaped. Telegram has no headings, lists or
 * tables: they become bold lines, bullets and preformatted text.
 */
export interface RenderedHtml {
  readonly html: string;
  /** What a person sees. */
  readonly text: string;
  readonly entities: number;
}

export function renderHtml(blocks: readonly Block[]): RenderedHtml {
  const writer = new HtmlWriter();
  writeBlocks(writer, blocks, { indent: "", quoted: false });
  return writer.result();
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

class HtmlWriter {
  #html = "";
  #text = "";
  #entities = 0;

  write(text: string): void {
    this.#html += escapeHtml(text);
    this.#text += text;
  }

  tag(name: string, attribute: string, content: () => void): void {
    this.#entities += 1;
    this.#html += `<${name}${attribute}>`;
    content();
    this.#html += `</${name}>`;
  }

  result(): RenderedHtml {
    return { html: this.#html, text: this.#text, entities: this.#entities };
  }
}

interface Place {
  /** Spaces before every line, inside lists. */
  readonly indent: string;
  /** Inside a quote: Telegram refuses a second one in it. */
  readonly quoted: boolean;
}

function writeBlocks(writer: HtmlWriter, blocks: readonly Block[], place: Place): void {
  blocks.forEach((block, index) => {
    if (index > 0) writer.write(place.indent === "" ? "\n\n" : `\n${place.indent}`);
    writeBlock(writer, block, place);
  });
}

function writeBlock(writer: HtmlWriter, block: Block, place: Place): void {
  switch (block.type) {
    case "paragraph":
      return writeInline(writer, indented(block.content, place.indent));
    case "heading":
      return writeInline(writer, allBold(block.content));
    case "code":
      return writeCode(writer, block);
    case "quote":
      return writeQuote(writer, block, place);
    case "list":
      return writeList(writer, block, place);
    case "table":
      return writeTable(writer, block);
    case "rule":
      return writer.write("———");
  }
}

function writeCode(writer: HtmlWriter, { language, text }: Code): void {
  const name = language.replace(/[^\w+#.-]/g, "");
  writer.tag("pre", "", () => {
    if (name === "") writer.write(text);
    else writer.tag("code", ` class="language-${name}"`, () => writer.write(text));
  });
}

function writeQuote(writer: HtmlWriter, quote: Quote, place: Place): void {
  const inner: Place = { indent: "", quoted: true };
  if (place.quoted) writeBlocks(writer, quote.children, inner);
  else writer.tag("blockquote", "", () => writeBlocks(writer, quote.children, inner));
}

function writeList(writer: HtmlWriter, list: List, place: Place): void {
  let number = list.start;
  list.items.forEach((item, index) => {
    if (index > 0) writer.write(`\n${place.indent}`);
    const marker = markerOf(item, list.ordered ? `${number}. ` : "• ");
    if (item.continued !== true) writer.write(marker);
    writeBlocks(writer, item.children, { ...place, indent: `${place.indent}   ` });
    number += 1;
  });
}

function markerOf(item: ListItem, plain: string): string {
  if (item.checked === undefined) return plain;
  return item.checked ? "☑ " : "☐ ";
}

function writeTable(writer: HtmlWriter, table: Table): void {
  writer.tag("pre", "", () => writer.write(tableLines(table).join("\n")));
}

function indented(content: Inline, indent: string): Inline {
  if (indent === "") return content;
  return content.map((run) => ({ ...run, text: run.text.replaceAll("\n", `\n${indent}`) }));
}

function allBold(content: Inline): Inline {
  return content.map((run) => ({ ...run, marks: { ...run.marks, bold: true as const } }));
}

function writeInline(writer: HtmlWriter, content: Inline): void {
  writeNodes(writer, nestInline(content), false);
}

function writeNodes(writer: HtmlWriter, nodes: readonly InlineNode[], linked: boolean): void {
  for (const node of nodes) {
    if (node.type === "text") writeText(writer, node.text, linked);
    else writeMark(writer, node, linked);
  }
}

function writeMark(
  writer: HtmlWriter,
  node: Extract<InlineNode, { type: "mark" }>,
  linked: boolean,
): void {
  const inside = (isLink: boolean) => () => writeNodes(writer, node.children, linked || isLink);
  switch (node.mark) {
    case "bold":
      return writer.tag("b", "", inside(false));
    case "italic":
      return writer.tag("i", "", inside(false));
    case "strike":
      return writer.tag("s", "", inside(false));
    case "spoiler":
      return writer.tag("tg-spoiler", "", inside(false));
    case "code":
      // Nothing may be found inside code: it is passed on as if it were linked.
      return writer.tag("code", "", inside(true));
    case "link":
      return writeLink(writer, node.url, inside(true), nodeText(node.children));
  }
}

function writeLink(writer: HtmlWriter, url: string, content: () => void, label: string): void {
  if (/^(https?|tg):/i.test(url)) {
    writer.tag("a", ` href="${escapeHtml(url)}"`, content);
    return;
  }
  // Telegram drops other schemes without a word: the address is written out.
  content();
  const address = url.replace(/^(mailto|tel):/i, "");
  if (!label.includes(address)) writer.write(` (${address})`);
}

function nodeText(nodes: readonly InlineNode[]): string {
  return nodes.map((node) => (node.type === "text" ? node.text : nodeText(node.children))).join("");
}

/**
 * File names whose ending is also a country or other top-level domain: Telegram would turn them into
 * links to somebody's web site. As code they stay what they are.
 */
const fileName =
  /(?<![\w./:@-])(?:[\w-]+[./])*[\w-]+\.(?:md|py|sh|rs|pl|cc|so|zip|mov|ps|ml)(?![\w/-]|\.\w)/g;

function writeText(writer: HtmlWriter, text: string, linked: boolean): void {
  if (linked) return writer.write(text);
  let position = 0;
  for (const match of text.matchAll(fileName)) {
    writer.write(text.slice(position, match.index));
    writer.tag("code", "", () => writer.write(match[0]));
    position = match.index + match[0].length;
  }
  writer.write(text.slice(position));
}
