import { fenceEnd, fenceSource, findCodeSpans } from "./code-region.ts";

/**
 * Removes what models leak into their answers: reasoning between tags, tool calls written as XML, special
 * tokens. Code (fenced blocks, inline spans) is left alone, because there such tags are what the answer is
 * about. It does not know control words (control-word.ts) and does not render Markdown.
 * One pass, linear. Trade-off: a tag that is never closed hides the rest of the text only at the beginning
 * of a line; inside a sentence it is taken for prose.
 */
export interface StripOptions {
  /** The text is not finished: hide everything behind any tag that is still open. */
  readonly partial: boolean;
}

const reasoningNames = ["think", "thinking", "thought", "reasoning", "antthinking", "scratchpad"];
const toolNames = [
  "function_calls",
  "function_call",
  "function_results",
  "function_result",
  "tool_calls",
  "tool_call",
  "tool_use",
  "tool_results",
  "tool_result",
  "tool_response",
  "invoke",
];

/** Every name a leaked tag may begin with, for holding back an unfinished one. */
export const leakedTagNames: readonly string[] = ["", "antml:"].flatMap((prefix) =>
  [...reasoningNames, ...toolNames, "function"].map((name) => prefix + name),
);

const names = [...reasoningNames, ...toolNames].join("|");
const tagSource =
  `<(?<slash>/?)\\s{0,4}(?:antml:)?(?<name>(?:${names})(?=[\\s/>])|function(?==|>))` +
  `(?<rest>[^<>]{0,400})>`;
const toolCallsToken = (end: string) => `<[|｜]tool[_▁]calls?(?:[_▁]section)?[_▁]${end}[|｜]>`;
const specialSource =
  `${toolCallsToken("begin")}[\\s\\S]*?(?:${toolCallsToken("end")}|$)` +
  "|<[|｜][A-Za-z0-9_▁ ]{1,48}[|｜]>|\\[/?TOOL_CALLS\\](?:\\s{0,4}[[{][^\\n]*)?";

type Family = "reasoning" | "tool";

interface Tag {
  readonly start: number;
  readonly end: number;
  readonly family: Family;
  readonly kind: "open" | "close" | "empty";
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The text without leaked markup; the very same text when there is none. */
export function stripLeakedMarkup(text: string, options: StripOptions): string {
  if (!/[<[]/.test(text)) return text;
  const ranges = findLeaks(text, options);
  return ranges.length === 0 ? text : cut(text, ranges);
}

function findLeaks(text: string, options: StripOptions): Range[] {
  const spans = findCodeSpans(text);
  const tags = new TagList(text);
  const ranges: Range[] = [];
  const scan = new RegExp(`${fenceSource}|(?<ticks>\`+)|${specialSource}|${tagSource}`, "gi");
  for (let match = scan.exec(text); match; match = scan.exec(text)) {
    const { fence, ticks, name } = match.groups ?? {};
    const here = { start: match.index, end: match.index + match[0].length };
    if (fence !== undefined) scan.lastIndex = fenceEnd(text, here) ?? text.length;
    else if (ticks !== undefined) scan.lastIndex = spans.get(here.start) ?? here.end;
    else {
      const range = name === undefined ? here : leakAt(text, tags, here, options);
      if (range) ranges.push(range);
      scan.lastIndex = range?.end ?? here.end;
    }
  }
  return ranges;
}

/** What has to go because of the tag found here. */
function leakAt(text: string, tags: TagList, here: Range, options: StripOptions): Range | null {
  const tag = tags.at(here.start);
  if (!tag) return null;
  if (tag.kind === "empty") return here;
  if (tag.kind === "close") return orphan(text, tag, tags.isFirst(tag));
  const end = tags.closingEnd(tag);
  if (end !== undefined) return { start: tag.start, end };
  const hides = options.partial || isAtLineStart(text, tag.start);
  return hides ? { start: tag.start, end: text.length } : null;
}

/**
 * A closing tag nobody opened. Some models leave out the opening one: then all before it was reasoning,
 * which shows by the tag having a line of its own.
 */
function orphan(text: string, tag: Tag, isFirst: boolean): Range {
  const rest = text.slice(tag.end, tag.end + 80);
  const alone = isAtLineStart(text, tag.start) && /^[ \t]{0,79}(?:[\r\n]|$)/.test(rest);
  const all = tag.family === "reasoning" && isFirst && alone;
  return { start: all ? 0 : tag.start, end: tag.end };
}

function isAtLineStart(text: string, position: number): boolean {
  const before = text.slice(Math.max(0, position - 32), position);
  return /(?:^|\n)[ \t]*$/.test(before) && (position <= 32 || before.includes("\n"));
}

/** All leaked tags of a text in order, except those quoted on their own in backticks. */
class TagList {
  readonly #tags: readonly Tag[];
  readonly #indexByStart: ReadonlyMap<number, number>;
  readonly #first = new Map<Family, Tag>();
  readonly #lastClosing = new Map<Family, Tag>();

  constructor(text: string) {
    const found = Array.from(text.matchAll(new RegExp(tagSource, "gi")), toTag);
    this.#tags = found.filter(
      (tag): tag is Tag => tag !== null && !(text[tag.start - 1] === "`" && text[tag.end] === "`"),
    );
    this.#indexByStart = new Map(this.#tags.map((tag, index) => [tag.start, index]));
    for (const tag of this.#tags) {
      if (!this.#first.has(tag.family)) this.#first.set(tag.family, tag);
      if (tag.kind === "close") this.#lastClosing.set(tag.family, tag);
    }
  }

  at(start: number): Tag | undefined {
    return this.#tags[this.#indexByStart.get(start) ?? -1];
  }

  isFirst(tag: Tag): boolean {
    return this.#first.get(tag.family) === tag;
  }

  /** End of the tag that closes this one; with unbalanced nesting, of the family's last closing tag. */
  closingEnd(opening: Tag): number | undefined {
    const last = this.#lastClosing.get(opening.family);
    if (!last || last.start < opening.start) return undefined;
    let depth = 0;
    const from = this.#indexByStart.get(opening.start) ?? 0;
    for (let index = from; index < this.#tags.length; index++) {
      const tag = this.#tags[index];
      if (!tag || tag.family !== opening.family || tag.kind === "empty") continue;
      depth += tag.kind === "open" ? 1 : -1;
      if (depth === 0) return tag.end;
    }
    return last.end;
  }
}

function toTag(match: RegExpMatchArray): Tag | null {
  const { slash = "", name = "", rest = "" } = match.groups ?? {};
  const attributes = rest.trim();
  // "<think about it>" is prose.
  if (attributes !== "" && attributes !== "/" && !attributes.includes("=")) return null;
  const start = match.index ?? 0;
  const kind = slash === "/" ? "close" : attributes.endsWith("/") ? "empty" : "open";
  const family = reasoningNames.includes(name.toLowerCase()) ? "reasoning" : "tool";
  return { start, end: start + match[0].length, family, kind };
}

/** Takes the ranges out and closes the holes: around each at most one blank line is left. */
function cut(text: string, ranges: readonly Range[]): string {
  let pieces: string[] = [];
  let gap = "";
  let position = 0;
  for (const { start, end } of [...ranges, { start: text.length, end: text.length }]) {
    // An orphaned closing tag takes all before it.
    if (start < position) pieces = [];
    const kept = text.slice(position, start);
    const body = kept.trim();
    const bodyStart = kept.length - kept.trimStart().length;
    gap += kept.slice(0, bodyStart);
    if (body !== "") {
      pieces.push(pieces.length === 0 ? "" : narrowed(gap), body);
      gap = kept.slice(bodyStart + body.length);
    }
    position = end;
  }
  return pieces.join("");
}

function narrowed(gap: string): string {
  const newlines = gap.split("\n").length - 1;
  if (newlines === 0) return gap === "" ? "" : " ";
  return "\n".repeat(Math.min(2, newlines)) + indentation(gap);
}

function indentation(gap: string): string {
  return gap.slice(gap.lastIndexOf("\n") + 1);
}
