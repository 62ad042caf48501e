import fc from "fast-check";
import { expect, test } from "vitest";
import { whatLeaves, type LeavingRules } from "#core/session/what-leaves.ts";

const entry = (seq: number, sessionId: string, at: number) => ({ seq, sessionId, at });
const rules: LeavingRules = { sessionId: "now", historyFrom: 4, before: 100, any: false };

test("what is old and outside the window leaves, in one piece from the oldest on", () => {
  const entries = [
    entry(1, "old", 10),
    entry(2, "now", 20),
    entry(3, "now", 100),
    entry(4, "now", 30),
  ];
  const seqs = (change: Partial<LeavingRules>) =>
    whatLeaves(entries, { ...rules, ...change }).map(({ seq }) => seq);
  expect(seqs({})).toEqual([1, 2]);
  expect(seqs({ before: null })).toEqual([]);
  expect(seqs({ any: true, before: null })).toEqual([1, 2, 3]);
  expect(seqs({ historyFrom: 2, any: true })).toEqual([1]);
  expect(seqs({ sessionId: "later", before: 1_000 })).toEqual([1, 2, 3, 4]);
});

const lists = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(200)), { maxLength: 30 })
  .map((list) => list.map(([sessionId, at], index) => entry(index + 1, sessionId, at)));

const anyRules = fc.record({
  sessionId: fc.constantFrom("a", "b", "c", undefined),
  historyFrom: fc.nat(30),
  before: fc.option(fc.nat(200)),
  any: fc.boolean(),
});

test("the window never leaves, nor what is young unless all may go, nor anything behind what stays", () => {
  fc.assert(
    fc.property(lists, anyRules, (entries, given) => {
      const leaving = whatLeaves(entries, given);
      expect(leaving).toEqual(entries.slice(0, leaving.length));
      const mayGo = (one: (typeof entries)[number]) =>
        !(one.sessionId === given.sessionId && one.seq >= given.historyFrom) &&
        (given.any || (given.before !== null && one.at < given.before));
      expect(leaving.every(mayGo)).toBe(true);
      const next = entries[leaving.length];
      expect(next === undefined || !mayGo(next)).toBe(true);
    }),
  );
});
