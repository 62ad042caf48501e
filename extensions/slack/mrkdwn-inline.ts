import type { Inline } from "#kit/markdown/document.ts";
import { nestInline, type InlineNode } from "#kit/markdown/inline.ts";

/**
 * Runs → Slack's mrkdwn. All text is escaped (`& < >`), so nothing the model writes can become a ping
 * (`<!channel>`, `<@U…>`) or a link it did not mark. mrkdwn has no escape character and marks only
 * whole words within one line: marks are closed at line ends, white space moves outside of them, and a
 * zero-width space parts a mark from a letter beside it. Spoilers do not exist in Slack: shown open.
 */
interface Piece {
  readonly text: string;
  /** Ends in marker characters that must not touch a letter. */
  readonly marked: boolean;
}

const markers = { bold: "*", italic: "_", strike: "~" } as const;
const zeroWidthSpace = "\u200b";
const endsInWord = /[\p{L}\p{N}_]$/u;
const startsWithWord = /^[\p{L}\p{N}_]/u;

export function inlineToMrkdwn(inline: Inline): string {
  return joinPieces(nestInline(inline).flatMap(toPieces));
}

/** Escapes exactly what Slack asks to escape. */
export function escapeMrkdwn(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function toPieces(node: InlineNode): Piece[] {
  if (node.type === "text") return [{ text: escapeMrkdwn(node.text), marked: false }];
  switch (node.mark) {
    case "bold":
    case "italic":
    case "strike":
      return wrap(joinPieces(node.children.flatMap(toPieces)), markers[node.mark]);
    case "code":
      return code(plainText(node.children));
    case "link":
      return [{ text: link(node.url, plainText(node.children)), marked: false }];
    case "spoiler":
      return node.children.flatMap(toPieces);
  }
}

/** Each line apart, without the white space at its ends. */
function wrap(text: string, marker: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0) pieces.push({ text: "\n", marked: false });
    const core = line.trim();
    const before = line.slice(0, line.length - line.trimStart().length);
    const after = core === "" ? "" : line.slice(line.trimEnd().length);
    if (before !== "") pieces.push({ text: before, marked: false });
    if (core !== "") pieces.push({ text: `${marker}${core}${marker}`, marked: true });
    if (after !== "") pieces.push({ text: after, marked: false });
  }
  return pieces;
}

/** Code that holds a back-tick, or nothing but space, cannot be marked as code in Slack. */
function code(text: string): Piece[] {
  const plain = text.includes("`") || text.trim() === "";
  return [plain ? { text: escapeMrkdwn(text), marked: false } : codePiece(text)];
}

function codePiece(text: string): Piece {
  return { text: `\`${escapeMrkdwn(text).replaceAll("\n", " ")}\``, marked: true };
}

/** Marks inside a label are not rendered by Slack, so a label is plain text. */
function link(url: string, label: string): string {
  const target = url
    .replaceAll("&", "&amp;")
    .replaceAll("<", "%3C")
    .replaceAll(">", "%3E")
    .replaceAll("|", "%7C")
    .replaceAll(/\s/g, "%20");
  const words = label.replace(/\s+/g, " ").trim();
  return words === "" || words === url
    ? `<${target}>`
    : `<${target}|${escapeMrkdwn(label).replaceAll("\n", " ")}>`;
}

function plainText(nodes: readonly InlineNode[]): string {
  return nodes
    .map((node) => (node.type === "text" ? node.text : plainText(node.children)))
    .join("");
}

function joinPieces(pieces: readonly Piece[]): string {
  let text = "";
  let before: Piece | undefined;
  for (const piece of pieces) {
    if (before !== undefined && touch(before, piece)) text += zeroWidthSpace;
    text += piece.text;
    before = piece;
  }
  return text;
}

/** Would a marker of the one stand beside a letter, or a marker, of the other? */
function touch(before: Piece, after: Piece): boolean {
  if (before.marked && after.marked) return true;
  if (after.marked) return endsInWord.test(before.text.slice(-2));
  return before.marked && startsWithWord.test(after.text);
}
