import type { TelegramEntity } from "./update-schema.ts";

/**
 * Block quotations are formatting that the plain text does not show. They are written out as quoted
 * lines, so that nobody takes them for the sender's own words; other entities move along.
 */
interface Marked {
  readonly text: string;
  readonly entities: readonly TelegramEntity[];
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

export function writeOutQuotes(text: string, entities: readonly TelegramEntity[]): Marked {
  const insertions = entities
    .filter(({ type }) => type === "blockquote" || type === "expandable_blockquote")
    .flatMap((entity) => marksOf(text, entity))
    .toSorted((a, b) => a.at - b.at);
  if (insertions.length === 0) return { text, entities };
  let result = "";
  let from = 0;
  for (const { at, text: mark } of insertions) {
    result += text.slice(from, at) + mark;
    from = at;
  }
  const moved = entities.map((entity) => moveAlong(entity, insertions));
  return { text: result + text.slice(from), entities: moved };
}

/** One before each line, and an empty line behind, where the sender goes on. */
function marksOf(text: string, { offset, length }: TelegramEntity): Insertion[] {
  const end = Math.min(text.length, offset + length);
  const begins = offset > 0 && text[offset - 1] !== "\n" ? "\n> " : "> ";
  const marks: Insertion[] = [{ at: offset, text: begins }];
  for (
    let at = text.indexOf("\n", offset);
    at >= 0 && at < end - 1;
    at = text.indexOf("\n", at + 1)
  ) {
    marks.push({ at: at + 1, text: "> " });
  }
  return end < text.length ? [...marks, { at: end, text: "\n\n" }] : marks;
}

function moveAlong(entity: TelegramEntity, insertions: readonly Insertion[]): TelegramEntity {
  const end = entity.offset + entity.length;
  const shift = (isBefore: (at: number) => boolean) =>
    insertions.reduce((sum, { at, text }) => sum + (isBefore(at) ? text.length : 0), 0);
  const offset = entity.offset + shift((at) => at <= entity.offset);
  return { ...entity, offset, length: end + shift((at) => at < end) - offset };
}
