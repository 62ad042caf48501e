import { piecesOf, widthOf, type Piece } from "./wrap.ts";

/**
 * The part of a line around the cursor that fits into one row. It is asked for with every key, so it
 * looks only at what could be in that row, however long the line is.
 */
export interface LineWindow {
  readonly text: string;
  /** The cursor's, in it. */
  readonly column: number;
}

/** UTF-16 units that one column may take: enough for a family of emoji. */
const UNITS_OF_COLUMN = 16;

export function windowOn(line: string, cursor: number, width: number): LineWindow {
  const reach = Math.max(0, width) * UNITS_OF_COLUMN;
  const before = plain(line.slice(Math.max(0, cursor - reach), cursor));
  const after = plain(line.slice(cursor, cursor + reach));
  const head = fitting(piecesOf(before).toReversed(), width).toReversed().join("");
  const column = widthOf(head);
  return { text: head + fitting(piecesOf(after), width - column).join(""), column };
}

/** As many from the first on as there is room for. */
function fitting(pieces: readonly Piece[], room: number): string[] {
  let taken = 0;
  const end = pieces.findIndex(({ width }) => (taken += width) > room);
  return pieces.slice(0, end < 0 ? pieces.length : end).map(({ text }) => text);
}

/** A control character would move the cursor. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, " ");
}
