/**
 * Runs: building them, cutting them, and turning them into the nested form that tags need. Flat runs
 * are the stored form because a cut in them cannot leave a tag open; nesting is computed at the last
 * moment. No knowledge of any platform's mark-up and no escaping here.
 */
import { type Inline, type MarkName, type Marks, markNames, type Run } from "./document.ts";

/** Runs as a well-nested tree: what a renderer with opening and closing tags walks over. */
export type InlineNode =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "mark";
      readonly mark: MarkName;
      /** The URL when `mark` is "link", else "". */
      readonly url: string;
      readonly children: readonly InlineNode[];
    };

/** Appends a run, joining it to the one before when the marks are the same. Ignores empty text. */
export function appendRun(runs: Run[], text: string, marks: Marks): void {
  if (text === "") return;
  const last = runs.at(-1);
  if (last !== undefined && sameMarks(last.marks, marks)) {
    runs[runs.length - 1] = { text: last.text + text, marks };
  } else {
    runs.push({ text, marks });
  }
}

function sameMarks(a: Marks, b: Marks): boolean {
  return a === b || markNames.every((name) => a[name] === b[name]);
}

/** The text of the runs, without their marks. */
export function inlineText(inline: Inline): string {
  return inline.length === 1 ? (inline[0]?.text ?? "") : inline.map((run) => run.text).join("");
}

/** Length in UTF-16 units. */
export function inlineLength(inline: Inline): number {
  let length = 0;
  for (const run of inline) length += run.text.length;
  return length;
}

/** The part of the runs between two offsets in UTF-16 units. */
export function sliceInline(inline: Inline, from: number, to: number): Inline {
  const sliced: Run[] = [];
  let offset = 0;
  for (const run of inline) {
    if (offset >= to) break;
    const end = offset + run.text.length;
    if (offset >= from && end <= to) {
      sliced.push(run);
    } else if (end > from) {
      const text = run.text.slice(Math.max(from - offset, 0), to - offset);
      if (text !== "") sliced.push({ text, marks: run.marks });
    }
    offset = end;
  }
  return sliced;
}

/** Runs without white space at either end. */
export function trimInline(inline: Inline): Inline {
  const text = inlineText(inline);
  const from = text.length - text.trimStart().length;
  const to = text.trimEnd().length;
  return from === 0 && to === text.length ? inline : sliceInline(inline, from, to);
}

/**
 * Flat runs → nested nodes. A mark is opened once for the longest stretch it covers; marks that cover
 * the same stretch nest in the order of `markNames`; `code` is innermost and holds one text node.
 */
export function nestInline(inline: Inline): InlineNode[] {
  return nest(inline, 0, inline.length, markNames);
}

function nest(runs: Inline, from: number, to: number, left: readonly MarkName[]): InlineNode[] {
  const nodes: InlineNode[] = [];
  let index = from;
  while (index < to) {
    const outer = outermost(runs, index, to, left);
    if (outer === null) {
      nodes.push({ type: "text", text: runs[index]?.text ?? "" });
      index += 1;
      continue;
    }
    const { mark, end } = outer;
    const inner = left.filter((name) => name !== mark);
    const url = mark === "link" ? (runs[index]?.marks.link ?? "") : "";
    nodes.push({ type: "mark", mark, url, children: nest(runs, index, end, inner) });
    index = end;
  }
  return nodes;
}

/** Of the marks not opened yet, the one that reaches furthest from `index`, but `code` last. */
function outermost(
  runs: Inline,
  index: number,
  to: number,
  left: readonly MarkName[],
): { mark: MarkName; end: number } | null {
  let best: { mark: MarkName; end: number } | null = null;
  for (const mark of left) {
    const value = runs[index]?.marks[mark];
    if (value === undefined || (mark === "code" && best !== null)) continue;
    let end = index + 1;
    while (mark !== "code" && end < to && runs[end]?.marks[mark] === value) end += 1;
    if (best === null || end > best.end) best = { mark, end };
  }
  return best;
}
