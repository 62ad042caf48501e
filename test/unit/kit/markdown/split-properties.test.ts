import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "#kit/markdown/document.ts";
import { parseMarkdown } from "#kit/markdown/parse.ts";
import { isBlank, toPlainText, visibleText } from "#kit/markdown/plain.ts";
import { splitDocument } from "#kit/markdown/split.ts";
import { documentArbitrary, sourceArbitrary } from "./arbitrary.ts";
import { byteLength, isBalanced, parsedSample, renderSample } from "./sample-renderer.ts";

/** Room for the longest grapheme of the generators and for nested markers. */
const limitArbitrary = fc.record({
  units: fc.integer({ min: 90, max: 600 }),
  bytes: fc.integer({ min: 500, max: 2_000 }),
});

interface Limit {
  readonly units: number;
  readonly bytes: number;
}

function fitsWithin(limit: Limit): (blocks: readonly Block[]) => boolean {
  return (blocks) => {
    const html = renderSample(blocks);
    return parsedSample(html).length <= limit.units && byteLength(html) <= limit.bytes;
  };
}

/**
 * The offsets of the groups' text in the whole text. Fails unless the groups are the whole, in order,
 * with nothing but white space left out between them.
 */
function locate(whole: string, groups: readonly string[]): { start: number; end: number }[] {
  let position = 0;
  const places = groups.map((group) => {
    let start = position;
    while (!whole.startsWith(group, start) && /\s/.test(whole.charAt(start))) start += 1;
    if (!whole.startsWith(group, start)) {
      throw new Error(
        `lost or changed: ${JSON.stringify([whole.slice(position, position + 80), group])}`,
      );
    }
    position = start + group.length;
    return { start, end: position };
  });
  expect(whole.slice(position).trim()).toBe("");
  return places;
}

function checkSplit(blocks: Block[], limit: Limit): void {
  const fits = fitsWithin(limit);
  const groups = splitDocument(blocks, { fits });
  const whole = visibleText(blocks);
  for (const group of groups) {
    expect(fits(group)).toBe(true);
    expect(isBlank(group)).toBe(false);
    expect(isBalanced(renderSample(group))).toBe(true);
  }
  const places = locate(whole, groups.map(visibleText));
  const edges = new Set([whole.length]);
  for (const { index } of new Intl.Segmenter().segment(whole)) edges.add(index);
  for (const { start, end } of places) {
    expect(edges.has(start)).toBe(true);
    expect(edges.has(end)).toBe(true);
  }
}

describe("splitDocument, for any document", () => {
  it("keeps every limit, all text in order, and every grapheme whole", () => {
    fc.assert(fc.property(documentArbitrary, limitArbitrary, checkSplit), { numRuns: 600 });
  }, 60_000);

  it("does the same for whatever the parser makes of a text", () => {
    const property = fc.property(sourceArbitrary, limitArbitrary, (source, limit) => {
      checkSplit(parseMarkdown(source), limit);
    });
    fc.assert(property, { numRuns: 1_000 });
  }, 60_000);

  it("gives one group, unchanged, when everything fits", () => {
    const property = fc.property(documentArbitrary, (blocks) => {
      const expected = isBlank(blocks) ? [] : [blocks];
      expect(splitDocument(blocks, { fits: () => true })).toEqual(expected);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("comes to an end and loses nothing even when nothing ever fits", () => {
    const property = fc.property(sourceArbitrary, (source) => {
      const blocks = parseMarkdown(source);
      const groups = splitDocument(blocks, { fits: () => false });
      locate(visibleText(blocks), groups.map(visibleText));
    });
    fc.assert(property, { numRuns: 100 });
  });

  it("asks about a dozen times per message, not once per character", () => {
    const property = fc.property(
      fc.array(sourceArbitrary, { minLength: 5, maxLength: 10 }),
      (parts) => {
        let asked = 0;
        const fits = (blocks: readonly Block[]): boolean => {
          asked += 1;
          return toPlainText(blocks).length <= 200;
        };
        const groups = splitDocument(parseMarkdown(parts.join("\n\n")), { fits });
        expect(asked).toBeLessThanOrEqual(25 * (groups.length + 1));
      },
    );
    fc.assert(property, { numRuns: 100 });
  });
});
