import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClassifiedFile } from "#contract/provenance.ts";
import { trusts, type Trust } from "#contract/transcript.ts";
import { stripNotes } from "#core/memory/entry-notes.ts";
import { partOf, passagesOf } from "#core/memory/passage.ts";
import { splitLine } from "#core/memory/split-line.ts";
import { estimateTokens } from "#kit/tokens.ts";

function file(lines: readonly (readonly [Trust, string])[]): ClassifiedFile {
  return {
    path: "memory/a.md",
    etag: "e",
    modifiedAt: 0,
    authorship: "ours",
    text: lines.map(([, line]) => line).join("\n"),
    lines: lines.map(([trust, text]) => ({
      text,
      origin: {
        trust,
        at: 0,
      },
    })),
  };
}

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc
    .array(fc.constantFrom("one", "Two.", "三千世界。", "https://a.example/b", "x:", "!? ", "- "), {
      maxLength: 200,
    })
    .map((words) => words.join(" ")),
  fc
    .constantFrom("a", "好", "ก", "😀", " ")
    .chain((one) => fc.nat({ max: 3_000 }).map((times) => one.repeat(times))),
);

describe("a line", () => {
  test("is its pieces, character by character, and each fits a row", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = text.replaceAll("\n", " ");
        const pieces = splitLine(line);
        expect(pieces.map((piece) => piece.text).join("")).toBe(line);
        for (const piece of pieces) expect(estimateTokens(piece.text)).toBeLessThanOrEqual(400);
      }),
      { numRuns: 500 },
    );
  });

  test("is cut at the ends of sentences, and each piece keeps the name that speaks", () => {
    const first = "The boiler was serviced on Monday by a friendly man from the village.";
    const second = "He said that the valve is old and should be replaced before the winter comes.";
    const pieces = splitLine(`- 09:30 Ada: ${first} ${second}`);
    expect(pieces.map(({ said }) => said)).toEqual([`Ada: ${first}`, `Ada: ${second}`]);
    expect(pieces[0]?.text).toBe(`- 09:30 Ada: ${first} `);
  });

  test("in Chinese is cut at its full stops", () => {
    const sentence = "他每天早上六点钟起床然后去公园跑步半个小时再回家吃早饭。";
    expect(splitLine(sentence.repeat(4)).length).toBeGreaterThan(1);
  });
});

describe("passages", () => {
  test("are none of the head of captured words, which may have another class than these", () => {
    const lines = [
      ["owner", "- 08:04 fact:"],
      ["untrusted", '  > "I live in Lyon"'],
      ["owner", "- 08:05 Dinner at eight:"],
    ] as const;
    const passages = passagesOf(file(lines), null);
    expect(passages.map(({ line, part }) => [line, part])).toEqual([
      [3, "clean"],
      [2, "outside"],
    ]);
  });

  test("cover every line that says something, once, in order, and never two classes", () => {
    const lines = fc.array(fc.tuple(fc.constantFrom(...trusts), anyText), { maxLength: 20 });
    fc.assert(
      fc.property(lines, (raw) => {
        const classified = raw.map(([trust, text]) => [trust, text.replaceAll("\n", " ")] as const);
        const passages = passagesOf(file(classified), null);
        for (const part of ["clean", "outside"] as const) {
          const own = passages.filter((passage) => passage.part === part);
          expect(own.map(({ position }) => position)).toEqual(own.map((_, at) => at));
          const numbers = own.map(({ line }) => line);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        }
        for (const [at, [trust, line]] of classified.entries()) {
          const own = passages.filter((passage) => passage.line === at + 1);
          for (const passage of own) expect(passage.trust).toBe(trust);
          for (const passage of own) expect(passage.part).toBe(partOf(trust));
          const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
          expect(letters(own.map(({ text }) => text).join(""))).toBe(letters(stripNotes(line)));
        }
      }),
    );
  });

  test("have words around them of their own part only", () => {
    const passages = passagesOf(
      file([
        ["owner", "# Family"],
        ["owner", "- Bit is the dog"],
        ["untrusted", "# poison"],
        ["untrusted", "- poison ivy"],
        ["agent", "- Ada is the captain"],
      ]),
      null,
    );
    const clean = passages.filter(({ part }) => part === "clean");
    expect(clean.map(({ before }) => before)).toEqual([
      "",
      "Family Family",
      "Family Family - Bit is the dog".replace("- ", ""),
    ]);
    for (const { self, before, after } of clean) {
      expect(`${self} ${before} ${after}`).not.toContain("poison");
    }
    const outside = passages.filter(({ part }) => part === "outside");
    for (const { self, before, after } of outside) {
      expect(`${self} ${before} ${after}`).not.toMatch(/Family|Bit|Ada/);
    }
  });

  test("of a dated note are found by its date in words", () => {
    const [passage] = passagesOf(file([["owner", "- the boiler"]]), "2026-05-03");
    expect(passage?.self).toBe("2026-05-03 3 May 2026 5月 3日 the boiler");
  });

  test("carry what their notes say, and not the notes", () => {
    const notes = "<!-- importance: 8 --> <!-- project: boat --> <!-- status: superseded -->";
    const [passage] = passagesOf(file([["owner", `- tea ${notes}`]]), null);
    expect(passage).toMatchObject({ importance: 8, projects: ["boat"], superseded: true });
    expect(passage?.self).toBe("tea");
  });

  test("are the same when only other lines move them", () => {
    const hashes = (lines: readonly (readonly [Trust, string])[]) =>
      passagesOf(file(lines), null).map(({ hash }) => hash);
    const [one] = hashes([["owner", "- tea"]]);
    expect(
      hashes([
        ["untrusted", "- x1"],
        ["owner", "- tea"],
      ])[0],
    ).toBe(one);
    expect(hashes([["agent", "- tea"]])[0]).not.toBe(one);
  });
});

test("words without an end make no contexts without an end", () => {
  const lines = Array.from(
    { length: 60 },
    (_, n) => ["agent", `- ${n} ${"x".repeat(390)}`] as const,
  );
  for (const { before, after } of passagesOf(file(lines), null)) {
    expect(before.length + after.length).toBeLessThan(2_500);
  }
});
