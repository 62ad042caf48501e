import fc from "fast-check";
import type { Block, Inline, ListItem, Marks } from "#kit/markdown/document.ts";
import { appendRun } from "#kit/markdown/inline.ts";
import type { Run } from "#kit/markdown/document.ts";

/**
 * Random documents, as model and as Markdown source, made of what breaks naive splitters: joined
 * emoji, flags, combining marks, scripts without spaces, mark-up characters, words without an end.
 */
const awkward = [
  "👨‍👩‍👧‍👦",
  "🏳️‍🌈",
  "👍🏽",
  "🇩🇪🇫🇷",
  "e\u0301",
  "a\u0300\u0301\u0302\u0303",
  "क्षि",
  "한국어",
  "กำ",
  "\u1112\u1161\u11ab",
  "汉字没有空格",
  "終わり。「次」へ、",
  "&",
  "<",
  ">",
  "&amp;",
  "<b>",
  "x".repeat(70),
  "ok",
  "word",
  "End.",
  "why?",
  "a-b",
];

export const wordArbitrary: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkward) },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-z0-9]{1,12}$/) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }) },
);

const gapArbitrary = fc.constantFrom(" ", " ", " ", "", "\n", "  ", "\u00a0");

const textArbitrary = fc
  .array(fc.tuple(wordArbitrary, gapArbitrary), { minLength: 1, maxLength: 8 })
  .map((pairs) => pairs.flat().join(""))
  .filter((text) => text.trim() !== "");

const marksArbitrary: fc.Arbitrary<Marks> = fc
  .record(
    {
      bold: fc.constant(true as const),
      italic: fc.constant(true as const),
      code: fc.constant(true as const),
      link: fc.constantFrom("https://example.org/?a=1&b=2", "https://example.org/long".repeat(4)),
    },
    { requiredKeys: [] },
  )
  .map((marks) => marks);

export const inlineArbitrary: fc.Arbitrary<Inline> = fc
  .array(fc.tuple(textArbitrary, marksArbitrary), { minLength: 1, maxLength: 3 })
  .map((pairs) => {
    const runs: Run[] = [];
    for (const [text, marks] of pairs) appendRun(runs, text, marks);
    return runs;
  });

const codeArbitrary: fc.Arbitrary<Block> = fc.record({
  type: fc.constant("code" as const),
  language: fc.constantFrom("", "ts", "python"),
  text: fc
    .array(fc.oneof(textArbitrary, fc.constantFrom("", "    indented", "}")), { maxLength: 6 })
    .map((lines) => lines.join("\n")),
});

const tableArbitrary: fc.Arbitrary<Block> = fc.integer({ min: 1, max: 4 }).chain((columns) => {
  const cell = fc.oneof(inlineArbitrary, fc.constant<Inline>([]));
  const row = fc.array(cell, { minLength: columns, maxLength: columns });
  return fc.record({
    type: fc.constant("table" as const),
    alignment: fc.constant(Array.from({ length: columns }, () => null)),
    header: row,
    rows: fc.array(row, { maxLength: 4 }),
  });
});

const leafArbitrary: fc.Arbitrary<Block> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("paragraph" as const), content: inlineArbitrary }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("heading" as const),
      level: fc.integer({ min: 1, max: 6 }),
      content: inlineArbitrary,
    }),
  },
  { weight: 1, arbitrary: codeArbitrary },
  { weight: 1, arbitrary: tableArbitrary },
  { weight: 1, arbitrary: fc.constant<Block>({ type: "rule" }) },
);

function blockArbitrary(depth: number): fc.Arbitrary<Block> {
  if (depth === 0) return leafArbitrary;
  const children = fc.array(blockArbitrary(depth - 1), { maxLength: 3 });
  const item: fc.Arbitrary<ListItem> = fc.oneof(
    fc.record({ children }),
    fc.record({ children, checked: fc.boolean() }),
  );
  return fc.oneof(
    { weight: 3, arbitrary: leafArbitrary },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("quote" as const), children }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant("list" as const),
        ordered: fc.constant(true),
        start: fc.integer({ min: 1, max: 50 }),
        items: fc.array(item, { minLength: 1, maxLength: 3 }),
      }),
    },
  );
}

/** Documents as the parser could give them, and stranger ones (empty items, empty cells). */
export const documentArbitrary: fc.Arbitrary<Block[]> = fc.array(blockArbitrary(3), {
  maxLength: 4,
});

const lineStarts = ["", "", "", "# ", "> ", ">> ", "- ", "  - ", "    - ", "1. ", "7) ", "- [x] "];
const decorations: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word,
  (word) => `**${word}**`,
  (word) => `_${word}_`,
  (word) => `\`${word}\``,
  (word) => `~~${word}~~`,
  (word) => `||${word}||`,
  (word) => `[${word}](https://example.org/a_b)`,
  (word) => `<https://example.org/plan|${word}>`,
  (word) => `**${word}`,
  (word) => `${word}*`,
  (word) => `[${word}](`,
];

const lineArbitrary = fc
  .tuple(
    fc.constantFrom(...lineStarts),
    fc.array(fc.tuple(wordArbitrary, fc.constantFrom(...decorations)), { maxLength: 12 }),
    fc.constantFrom("\n", "\n", "\n\n", "\n```\n", "\n---\n", "\n| a | b |\n|---|---|\n| ", "  \n"),
  )
  .map(([start, words, end]) => {
    return start + words.map(([word, decorate]) => decorate(word)).join(" ") + end;
  });

/** Markdown source, well-formed or not. */
export const sourceArbitrary: fc.Arbitrary<string> = fc
  .array(lineArbitrary, { maxLength: 20 })
  .map((lines) => lines.join(""));
