import type { Inline, MarkName } from "./document.ts";

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

/**
 * Flat runs → nested nodes. A mark is opened once for the longest stretch it covers; marks that cover
 * the same stretch nest in the order of `markNames`; `code` is innermost and holds one text node.
 */
export function nestInline(inline: Inline): InlineNode[] {
  return inline.map((run) => ({ type: "text", text: run.text }));
}
