/**
 * Offsets into a document, and the part of it between two of them. Every leaf's text counts its UTF-16
 * units, a rule counts 1, and neighbours (blocks, items, rows, cells) are 1 apart, so each place where
 * a document can be cut has an offset. A slice is exact: it drops no text, trims nothing, and whatever
 * it cuts is well-formed on both sides. Choosing a good place is not done here (breaks.ts).
 */
import type { Block, Inline, List, ListItem, Table, TableRow } from "./document.ts";
import { inlineLength, sliceInline } from "./inline.ts";

/** Lengths by identity: slices share what they do not cut, so nothing is measured twice. */
const lengths = new WeakMap<object, number>();

export function blocksLength(blocks: readonly Block[]): number {
  return totalLength(blocks, blockLength);
}

export function blockLength(block: Block): number {
  return remember(block, measureBlock);
}

export function itemLength(item: ListItem): number {
  return remember(item, (value) => blocksLength(value.children));
}

export function rowLength(row: TableRow): number {
  return remember(row, (cells) => totalLength(cells, inlineLength));
}

/** Header (if any) and rows, in order. */
export function tableRows(table: Table): readonly TableRow[] {
  return table.header.length > 0 ? [table.header, ...table.rows] : table.rows;
}

/** The blocks between two offsets. Cut lists keep their count, cut tables do not repeat the header. */
export function sliceBlocks(blocks: readonly Block[], from: number, to: number): Block[] {
  return pick(blocks, blockLength, { from, to }).map((picked) =>
    picked.whole ? picked.value : sliceBlock(picked.value, picked.from, picked.to),
  );
}

function sliceBlock(block: Block, from: number, to: number): Block {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return { ...block, content: sliceInline(block.content, from, to) };
    case "code":
      return { ...block, text: block.text.slice(from, to) };
    case "quote":
      return { ...block, children: sliceBlocks(block.children, from, to) };
    case "list":
      return sliceList(block, from, to);
    case "table":
      return sliceTable(block, from, to);
    case "rule":
      return block;
  }
}

function sliceList(list: List, from: number, to: number): List {
  const picked = pick(list.items, itemLength, { from, to });
  const items = picked.map((entry) => (entry.whole ? entry.value : sliceItem(entry)));
  const start = list.ordered ? list.start + (picked[0]?.index ?? 0) : 1;
  return { ...list, start, items };
}

function sliceItem(entry: Picked<ListItem>): ListItem {
  const children = sliceBlocks(entry.value.children, entry.from, entry.to);
  return entry.from > 0
    ? { ...entry.value, children, continued: true }
    : { ...entry.value, children };
}

function sliceTable(table: Table, from: number, to: number): Table {
  const all = tableRows(table);
  const picked = pick(all, rowLength, { from, to });
  const rows = picked.map((entry) =>
    entry.whole ? entry.value : sliceRow(entry.value, entry.from, entry.to),
  );
  const hasHeader = picked[0]?.value === table.header && rows[0] !== undefined;
  return hasHeader
    ? { ...table, header: rows[0] ?? [], rows: rows.slice(1) }
    : { ...table, header: [], rows };
}

/** As many cells as before; those outside are empty. */
function sliceRow(row: TableRow, from: number, to: number): TableRow {
  const cells: Inline[] = row.map(() => []);
  for (const entry of pick(row, inlineLength, { from, to })) {
    cells[entry.index] = sliceInline(entry.value, entry.from, entry.to);
  }
  return cells;
}

interface Picked<T> {
  readonly value: T;
  readonly index: number;
  readonly whole: boolean;
  /** The part of the value that is wanted, in its own offsets. */
  readonly from: number;
  readonly to: number;
}

/**
 * The values that lie in a range. For a cut at any offset: what starts there or later is behind it,
 * what ends there or earlier is before it, and only what is left is cut in two. So adjoining ranges
 * hold everything once, empty values included.
 */
function pick<T>(
  values: readonly T[],
  lengthOf: (value: T) => number,
  range: { readonly from: number; readonly to: number },
): Picked<T>[] {
  const picked: Picked<T>[] = [];
  let offset = 0;
  for (const [index, value] of values.entries()) {
    if (offset >= range.to) break;
    const length = lengthOf(value);
    const from = Math.max(range.from - offset, 0);
    const to = Math.min(range.to - offset, length);
    if (from === 0 || from < length) {
      picked.push({ value, index, whole: from === 0 && to === length, from, to });
    }
    offset += length + 1;
  }
  return picked;
}

function measureBlock(block: Block): number {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return inlineLength(block.content);
    case "code":
      return block.text.length;
    case "quote":
      return blocksLength(block.children);
    case "list":
      return totalLength(block.items, itemLength);
    case "table":
      return totalLength(tableRows(block), rowLength);
    case "rule":
      return 1;
  }
}

function totalLength<T>(values: readonly T[], lengthOf: (value: T) => number): number {
  let total = Math.max(values.length - 1, 0);
  for (const value of values) total += lengthOf(value);
  return total;
}

function remember<T extends object>(value: T, measure: (value: T) => number): number {
  const known = lengths.get(value);
  if (known !== undefined) return known;
  const length = measure(value);
  lengths.set(value, length);
  return length;
}
