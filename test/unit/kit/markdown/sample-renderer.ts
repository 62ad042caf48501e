import type { Block, Inline, List, Table } from "#kit/markdown/document.ts";
import { type InlineNode, nestInline } from "#kit/markdown/inline.ts";

/**
 * A renderer as a channel would write one: tags, escaping, bullets. The tests judge groups on what it
 * gives (visible units as a platform counts them, payload bytes), and whether its tags balance.
 */
export function renderSample(blocks: readonly Block[]): string {
  return blocks.map(renderBlock).join("\n\n");
}

/** What a platform shows of it: tags removed, references decoded. */
export function parsedSample(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Every opening tag is closed, in order. */
export function isBalanced(html: string): boolean {
  const open: string[] = [];
  for (const [, closing, name = ""] of html.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
    if (closing === "") open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

function renderBlock(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return renderInline(block.content);
    case "heading":
      return `<b>${renderInline(block.content)}</b>`;
    case "code":
      return `<pre><code class="language-${escape(block.language)}">${escape(block.text)}</code></pre>`;
    case "quote":
      return `<blockquote>${renderSample(block.children)}</blockquote>`;
    case "list":
      return renderList(block);
    case "table":
      return renderTable(block);
    case "rule":
      return "———";
  }
}

function renderList(list: List): string {
  return list.items
    .map((item, index) => {
      const marker = list.ordered ? `${list.start + index}. ` : "• ";
      return (item.continued ? "   " : marker) + item.children.map(renderBlock).join("\n");
    })
    .join("\n");
}

function renderTable(table: Table): string {
  const rows = [table.header, ...table.rows];
  return `<pre>${rows.map((row) => row.map(renderInline).join(" | ")).join("\n")}</pre>`;
}

export function renderInline(inline: Inline): string {
  return nestInline(inline).map(renderNode).join("");
}

function renderNode(node: InlineNode): string {
  if (node.type === "text") return escape(node.text);
  const inner = node.children.map(renderNode).join("");
  switch (node.mark) {
    case "bold":
      return `<b>${inner}</b>`;
    case "italic":
      return `<i>${inner}</i>`;
    case "strike":
      return `<s>${inner}</s>`;
    case "spoiler":
      return `<span>${inner}</span>`;
    case "code":
      return `<code>${inner}</code>`;
    case "link":
      return `<a href="${escape(node.url)}">${inner}</a>`;
  }
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
