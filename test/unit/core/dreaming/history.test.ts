import fc from "fast-check";
import { expect, test } from "vitest";
import type { CuratedLine, NightEvidence } from "#contract/dreaming.ts";
import { blockEnd, blockStart } from "#core/dreaming/evidence.ts";
import { othersLines, parseMemoryFile, sizeOf } from "#core/dreaming/memory-file.ts";
import {
  cleanHistory,
  dirtyHistory,
  dirtyTrust,
  entry,
  memories,
  mixed,
  outcome,
  withModel,
} from "./histories.ts";
import { before, dream, dreamer, memoryOf, today } from "./world.ts";

/** Properties over thousands of made-up histories. */
test(
  "unclean lines, anywhere, in any number, change no byte of anything",
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(
        cleanHistory,
        dirtyHistory,
        memories,
        fc.tuple(fc.array(fc.boolean(), { maxLength: 9 }), withModel),
        (clean, dirty, memory, [picks, options]) => {
          const both: NightEvidence = {
            lines: mixed(clean.lines, dirty.lines, picks),
            recalls: mixed(clean.recalls, dirty.recalls, picks),
          };
          const [without, beside] = [dreamer(memory), dreamer(memory)];
          dream(without, clean, options);
          dream(beside, both, options);
          expect(memoryOf(beside)).toBe(memoryOf(without));
          expect(outcome(beside)).toEqual(outcome(without));
        },
      ),
      { numRuns: 1200 },
    );
  },
);

const dirtyLine = fc.record({
  text: fc.constantFrom(entry, "## Learned", "evil", "- I live in Lyon"),
  trust: dirtyTrust,
});

test(
  "unclean lines in MEMORY.md stay where they are and change nothing else",
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(
        cleanHistory,
        memories,
        fc.array(fc.tuple(fc.nat({ max: 6 }), dirtyLine), { maxLength: 4 }),
        fc.tuple(withModel, fc.constantFrom(250, 12_000)),
        (history, memory, dirty, [model, budget]) => {
          const options = { ...model, budget };
          const [without, beside] = [dreamer(memory), dreamer(memory)];
          for (const [place, one] of dirty) beside.memory.splice(place, 0, one);
          const isEvil = ({ trust }: CuratedLine) => trust === "untrusted" || trust === "system";
          const evilBefore = beside.memory.filter(isEvil);
          dream(without, history, options);
          dream(beside, history, options);
          expect(beside.memory.filter(isEvil)).toEqual(evilBefore);
          expect(beside.memory.filter((one) => !isEvil(one))).toEqual(without.memory);
          expect(outcome(beside).prompts).toEqual(outcome(without).prompts);
          expect(outcome(beside).record).toEqual(outcome(without).record);
        },
      ),
      { numRuns: 400 },
    );
  },
);

test("the order in which files and signals come means nothing", { timeout: 120_000 }, () => {
  const history = cleanHistory.filter((one) =>
    one.lines.every(({ text }) => text !== blockStart && text !== blockEnd),
  );
  fc.assert(
    fc.property(
      history.chain((one) =>
        fc.tuple(fc.constant(one), fc.shuffledSubarray(one.lines, { minLength: one.lines.length })),
      ),
      ([one, shuffled]) => {
        const [first, second] = [dreamer(), dreamer()];
        dream(first, one, { unstored: true });
        dream(second, { lines: shuffled, recalls: one.recalls.toReversed() }, { unstored: true });
        expect(memoryOf(second)).toBe(memoryOf(first));
        expect(outcome(second)).toEqual(outcome(first));
      },
    ),
    { numRuns: 400 },
  );
});

test(
  "night after night: budget kept, the owner's lines untouched, no night without news changes anything",
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(
        fc.array(cleanHistory, { minLength: 1, maxLength: 4 }),
        memories,
        fc.constantFrom(60, 300, 12_000),
        withModel,
        (nights, memory, budget, options) => {
          const who = dreamer(memory);
          let seen: NightEvidence = { lines: [], recalls: [] };
          for (const [index, night] of nights.entries()) {
            seen = {
              lines: [...seen.lines, ...night.lines],
              recalls: [...seen.recalls, ...night.recalls],
            };
            const [file, size] = [parseMemoryFile(who.memory), sizeOf(who.memory)];
            dream(who, seen, { ...options, budget, day: before(today, -2 * index) });
            expect(sizeOf(who.memory)).toBeLessThanOrEqual(Math.max(budget, size));
            const after = parseMemoryFile(who.memory);
            const texts = othersLines(after)
              .map(({ text }) => text)
              .filter((text) => text !== "" && text !== "## Learned");
            expect(texts).toEqual(
              othersLines(file)
                .map(({ text }) => text)
                .filter((text) => text !== "" && text !== "## Learned"),
            );
            expect(repeated(after)).toBeLessThanOrEqual(repeated(file));
            const left = memoryOf(who);
            const files = new Map(who.files);
            for (const later of [1, 1.5])
              dream(who, seen, { ...options, budget, day: before(today, -2 * index - later) });
            expect(memoryOf(who)).toBe(left);
            expect(who.files).toEqual(files);
          }
        },
      ),
      { numRuns: 400 },
    );
  },
);

function repeated({ entries }: ReturnType<typeof parseMemoryFile>): number {
  return entries.length - new Set(entries.map(({ text }) => text)).size;
}
