import type { Alignment, Inline, Table, TableRow } from "#kit/markdown/document.ts";

/**
 * A table as lines of equal-width columns, for preformatted text. Wide characters (CJK, emoji) count
 * as two columns. Marks are dropped; a link's target is written out when its text does not show it.
 */
export function tableLines(table: Table): string[] {
  const header = table.header.map(cellText);
  const rows = table.rows.map((row: TableRow) => row.map(cellText));
  const all = header.length > 0 ? [header, ...rows] : rows;
  const widths = table.alignment.map((_, column) =>
    Math.max(...all.map((row) => displayWidth(row[column] ?? ""))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0, table.alignment[column] ?? null))
      .join(" | ")
      .trimEnd();
  if (header.length === 0) return rows.map(line);
  const rule = widths.map((width) => "-".repeat(width)).join("-+-");
  return [line(header), rule, ...rows.map(line)];
}

function cellText(cell: Inline): string {
  return cell
    .map(({ text, marks }) => {
      const target = marks.link?.replace(/^(mailto|tel):/i, "");
      return target === undefined || target === text ? text : `${text} (${target})`;
    })
    .join("")
    .replaceAll("\n", " ");
}

function padded(cell: string, width: number, alignment: Alignment): string {
  const missing = Math.max(0, width - displayWidth(cell));
  if (alignment === "right") return " ".repeat(missing) + cell;
  if (alignment !== "center") return cell + " ".repeat(missing);
  const left = Math.floor(missing / 2);
  return " ".repeat(left) + cell + " ".repeat(missing - left);
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}
