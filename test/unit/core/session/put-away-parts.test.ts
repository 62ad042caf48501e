import fc from "fast-check";
import { expect, test } from "vitest";
import { partBefore } from "#core/session/put-away-parts.ts";
import { setSetting } from "#core/state/settings.ts";
import { WholeSessionStore } from "#test/doubles/session-rows.ts";

/** A storage that lists forwards, so many at a time. */
function shelf(parts: readonly number[], listed: number) {
  let lists = 0;
  return {
    put: async () => {},
    get: async () => null,
    list: async (after: number) => {
      lists += 1;
      return parts.filter((first) => first > after).slice(0, listed);
    },
    lists: () => lists,
  };
}

test("the part before an entry is found, whatever parts there are", async () => {
  const store = new WholeSessionStore(() => 1);
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 20_000 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      numbers,
      fc.integer({ min: 1, max: 21_000 }),
      fc.integer({ min: 1, max: 9 }),
      async (found, before, listed) => {
        const parts = found.toSorted((a, b) => a - b);
        const latest = parts.slice(-3);
        setSetting(store.settings, "putAway", { seq: 0, parts: 0, latest, restedAt: 0 });
        const part = await partBefore({ store, parts: shelf(parts, listed) }, before);
        expect(part).toBe(parts.findLast((first) => first < before));
      },
    ),
  );
});

test("of full parts a single list finds it, however many there are", async () => {
  const store = new WholeSessionStore(() => 1);
  const parts = shelf(
    Array.from({ length: 1_000 }, (_, at) => at * 500 + 1),
    1_000,
  );
  expect(await partBefore({ store, parts }, 250_001)).toBe(249_501);
  expect(parts.lists()).toBe(1);
});
