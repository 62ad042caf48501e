/**
 * marked's inline tokens → runs. Only here are character references decoded (never in code), and only
 * here is decided what stays literal: tags other than `<br>`, mail addresses, and `<x:y>` of an
 * unknown scheme. A line break is kept as "\n" whether Markdown calls it hard or soft, because in a
 * chat a new line means a new line.
 */
import type { MarkedToken, Token, Tokens } from "marked";
import type { Inline, Marks, Run } from "./document.ts";
import { decodeEntities } from "./entities.ts";
import { appendRun, inlineText, trimInline } from "./inline.ts";
import { linkTarget, shownTarget } from "./link.ts";

const lineBreakTag = /^<br\s*\/?>$/i;
const spacesAroundBreak = /[ \t]*\n[ \t]*/g;
const manyBreaks = /\n{3,}/g;

/** Inline tokens of one leaf (paragraph, heading, cell) → its runs, without outer white space. */
export function parseInline(tokens: readonly Token[]): Inline {
  const runs: Run[] = [];
  appendTokens(runs, tokens, {});
  return trimInline(runs.map(tidyBreaks));
}

/** No spaces around a line break, and at most one empty line (`<br>` on a line of its own). */
function tidyBreaks(run: Run): Run {
  if (run.marks.code === true || !run.text.includes("\n")) return run;
  const text = run.text.replace(spacesAroundBreak, "\n").replace(manyBreaks, "\n\n");
  return { text, marks: run.marks };
}

function appendTokens(runs: Run[], tokens: readonly Token[], marks: Marks): void {
  for (const token of tokens) appendToken(runs, token as MarkedToken, marks);
}

function appendToken(runs: Run[], token: MarkedToken, marks: Marks): void {
  switch (token.type) {
    case "strong":
      return appendTokens(runs, token.tokens, { ...marks, bold: true });
    case "em":
      return appendTokens(runs, token.tokens, { ...marks, italic: true });
    case "del":
      return appendTokens(runs, token.tokens, { ...marks, ...markOfDeletion(token) });
    case "codespan":
      return appendRun(runs, token.text, { ...marks, code: true });
    case "br":
      return appendRun(runs, "\n", marks);
    case "escape":
      return appendRun(runs, token.text, marks);
    case "link":
      return appendLink(runs, token, marks);
    case "image":
      return appendLink(runs, token, marks);
    case "html":
      return appendRun(runs, lineBreakTag.test(token.raw) ? "\n" : token.raw, marks);
    case "checkbox":
      return;
    default:
      return appendRun(runs, decodeEntities(token.raw), marks);
  }
}

/** The tokenizer hands spoilers over as deletions, told apart by their delimiter. */
function markOfDeletion(token: Tokens.Del): Marks {
  return token.raw.startsWith("||") ? { spoiler: true } : { strike: true };
}

/** A picture is a link to it, labelled with its description. A link inside a link has no effect. */
function appendLink(runs: Run[], token: Tokens.Link | Tokens.Image, marks: Marks): void {
  const url = linkTarget(token.href);
  if (token.type === "link" && token.autolink === true && !isWebLink(url)) {
    return appendRun(runs, decodeEntities(token.raw), marks);
  }
  const linked = url === null || marks.link !== undefined ? marks : { ...marks, link: url };
  const label: Run[] = [];
  appendTokens(label, token.tokens, linked);
  for (const run of label) appendRun(runs, run.text, run.marks);
  if (label.length === 0 && url !== null) appendRun(runs, url, linked);
  if (url === null) appendRun(runs, shownTarget(token.href, inlineText(label)), marks);
}

function isWebLink(url: string | null): boolean {
  return url !== null && !url.startsWith("mailto:");
}
