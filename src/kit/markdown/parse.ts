/**
 * Markdown → blocks. marked reads, this translates: its block tokens into our model, with nesting
 * bounded so that nothing downstream can overflow a stack. Text that is no Markdown, broken Markdown
 * or still streaming in is not an error: there is always a document, and no visible text is dropped.
 */
import type { MarkedToken, Token, Tokens } from "marked";
import type { Block, ListItem, Table, TableRow } from "./document.ts";
import { decodeEntities } from "./entities.ts";
import { parseInline } from "./parse-inline.ts";
import { lexMarkdown } from "./lex.ts";

/** Quotes and lists nested deeper than this lose their outer mark-up, never their text. */
const maxDepth = 12;

/** C0 and C1 controls except tab, line feed and carriage return: nothing a chat can show. */
const controls = /[^\P{Cc}\t\n\r]/gu;
const unfinishedPair = /[\ud800-\udbff]$/;
const labelInUse = /\[([^[\]\n]{1,200})\](?!:)/g;

interface Scope {
  readonly depth: number;
  /** Labels of link references that the text uses. */
  readonly usedLabels: ReadonlySet<string>;
}

/**
 * Markdown (CommonMark + GFM, Slack's `<url|text>` links, `||spoilers||`) → blocks. Pure, never
 * throws, for any string, also for one that is still streaming in.
 */
export function parseMarkdown(source: string): Block[] {
  const text = source.replace(unfinishedPair, "").toWellFormed().replace(controls, "");
  try {
    return toBlocks(lexMarkdown(text), { depth: 0, usedLabels: findLabels(text) });
  } catch (error) {
    // Nested beyond the stack (thousands of `>` in one line), or a fault of the library: the words
    // still count more than their mark-up.
    if (error instanceof Error) return literal(text);
    throw error;
  }
}

function literal(text: string): Block[] {
  const content = text.trim();
  return content === "" ? [] : [{ type: "paragraph", content: [{ text: content, marks: {} }] }];
}

function findLabels(text: string): ReadonlySet<string> {
  const labels = new Set<string>();
  for (const [, label = ""] of text.matchAll(labelInUse)) labels.add(normaliseLabel(label));
  return labels;
}

function normaliseLabel(label: string): string {
  return label.replace(/\s+/g, " ").trim().toLowerCase();
}

function toBlocks(tokens: readonly Token[], scope: Scope): Block[] {
  return tokens.flatMap((token) => toBlock(token as MarkedToken, scope));
}

function toBlock(token: MarkedToken, scope: Scope): Block[] {
  switch (token.type) {
    case "space":
    case "checkbox":
      return [];
    case "hr":
      return [{ type: "rule" }];
    case "code":
      return [{ type: "code", language: languageOf(token), text: token.text }];
    case "heading":
      return toHeading(token);
    case "blockquote":
      return toQuote(token, scope);
    case "list":
      return toList(token, scope);
    case "table":
      return [toTable(token)];
    case "def":
      return scope.usedLabels.has(normaliseLabel(token.tag)) ? [] : literal(token.raw);
    default:
      return toParagraph(token);
  }
}

function languageOf(token: Tokens.Code): string {
  const [word = ""] = decodeEntities(token.lang ?? "")
    .trim()
    .split(/\s/, 1);
  return word.slice(0, 64).toWellFormed();
}

function toHeading(token: Tokens.Heading): Block[] {
  const content = parseInline(token.tokens);
  return content.length === 0 ? [] : [{ type: "heading", level: token.depth, content }];
}

function toParagraph(token: MarkedToken): Block[] {
  const tokens = "tokens" in token && token.tokens !== undefined ? token.tokens : [token];
  const content = parseInline(tokens);
  return content.length === 0 ? [] : [{ type: "paragraph", content }];
}

function toQuote(token: Tokens.Blockquote, scope: Scope): Block[] {
  const children = toBlocks(token.tokens, deeper(scope));
  if (children.length === 0 || scope.depth >= maxDepth) return children;
  return [{ type: "quote", children }];
}

function toList(token: Tokens.List, scope: Scope): Block[] {
  const items = token.items.map((item) => toItem(item, deeper(scope)));
  if (scope.depth >= maxDepth) return items.flatMap((item) => item.children);
  const start = token.ordered && token.start !== "" ? token.start : 1;
  return [{ type: "list", ordered: token.ordered, start, items }];
}

function toItem(token: Tokens.ListItem, scope: Scope): ListItem {
  const children = toBlocks(token.tokens, scope);
  return token.checked === undefined ? { children } : { children, checked: token.checked };
}

function toTable(token: Tokens.Table): Table {
  const toRow = (cells: readonly Tokens.TableCell[]): TableRow =>
    token.align.map((_, column) => parseInline(cells[column]?.tokens ?? []));
  return {
    type: "table",
    alignment: token.align,
    header: toRow(token.header),
    rows: token.rows.map(toRow),
  };
}

function deeper(scope: Scope): Scope {
  return { ...scope, depth: scope.depth + 1 };
}
