import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PutAwayAnswer } from "#contract/session-rpc.ts";
import { chooseUnused, putAwayUnused, type SessionShelf } from "#core/agent/unused-sessions.ts";

/** Which conversations are put away when an agent has too many. */
const day = 24 * 3_600_000;
const now = 1_000 * day;
const silent = { info() {}, warn() {}, error() {} };

interface Held {
  readonly sessionKey: string;
  readonly address: null;
  readonly lastActiveAt: number;
  readonly busy: boolean;
  sparedUntil: number;
  archived: boolean;
}

const held = (sessionKey: string, daysAgo: number, busy = false): Held => ({
  sessionKey,
  address: null,
  lastActiveAt: now - daysAgo * day,
  busy,
  sparedUntil: 0,
  archived: false,
});

function shelfOf(sessions: Held[], clock = { now }): SessionShelf {
  const find = (key: string) => sessions.find(({ sessionKey }) => sessionKey === key);
  return {
    present: () => sessions.filter(({ archived }) => !archived).length,
    unused: (limit) =>
      sessions
        .filter(({ archived, busy, sparedUntil }) => {
          return !archived && !busy && sparedUntil <= clock.now;
        })
        .toSorted((one, other) => one.lastActiveAt - other.lastActiveAt)
        .slice(0, limit),
    spare(key, until) {
      const session = find(key);
      if (session) session.sparedUntil = until;
    },
    archive({ sessionKey }) {
      const session = find(sessionKey);
      if (session) session.archived = true;
    },
  };
}

interface Rig {
  readonly sessions: Held[];
  readonly limit: number;
  readonly pinned?: readonly string[];
  readonly answer?: (key: string) => PutAwayAnswer;
  readonly clock?: { now: number };
}

async function run({ sessions, limit, pinned = [], answer, clock = { now } }: Rig) {
  const asked: string[] = [];
  let steps = 0;
  let outcome: "done" | "more" | "later" = "more";
  while (outcome === "more" && steps < 100) {
    steps += 1;
    outcome = await putAwayUnused({
      shelf: shelfOf(sessions, clock),
      rules: { sessions: limit, pinned: [...pinned] },
      isPinned: ({ sessionKey }) => pinned.includes(sessionKey),
      async ask(key) {
        asked.push(key);
        return answer?.(key) ?? "away";
      },
      now: () => clock.now,
      log: silent,
    });
  }
  return { asked, steps, outcome, left: sessions.filter(({ archived }) => !archived) };
}

describe("of too many conversations", () => {
  test("those unused for longest go, as many as are too many, a few a step", async () => {
    const sessions = Array.from({ length: 30 }, (_, index) => held(`s${index}`, index));
    const { asked, left, steps } = await run({ sessions, limit: 18 });
    expect(new Set(asked)).toEqual(new Set(Array.from({ length: 12 }, (_, n) => `s${29 - n}`)));
    expect(asked.slice(0, 5)).toEqual(["s29", "s28", "s27", "s26", "s25"]);
    expect(left).toHaveLength(18);
    expect(steps).toBe(3);
  });

  test("one that is in use is not asked again until a day later, and the next one goes", async () => {
    const sessions = [held("a", 9), held("b", 8), held("c", 7)];
    const clock = { now };
    const answer = (key: string) => (key === "a" ? "kept" : "away");
    const rig = { sessions, limit: 2, answer, clock };
    expect((await run(rig)).asked).toEqual(["a", "b"]);
    sessions.push(held("d", 3));
    clock.now += day - 1;
    expect((await run(rig)).asked).toEqual(["c"]);
    sessions.push(held("e", 3));
    clock.now += 1;
    expect((await run(rig)).asked[0]).toBe("a");
  });

  test("one that does not answer stops nobody, and is asked again", async () => {
    const sessions = [held("a", 9), held("b", 8), held("c", 7)];
    const clock = { now };
    const answer = (key: string): PutAwayAnswer => {
      if (key === "a" && clock.now === now) throw new Error("away");
      return "away";
    };
    const rig = { sessions, limit: 1, answer, clock };
    expect((await run(rig)).left.map(({ sessionKey }) => sessionKey)).toEqual(["a"]);
    sessions.push(held("d", 1));
    clock.now += 3_600_000;
    expect((await run(rig)).asked).toEqual(["a"]);
  });

  test("those that are not through yet are asked again, and no other in their place", async () => {
    const sessions = [held("a", 9), held("b", 8), held("c", 7)];
    let isThrough = false;
    const answer = () => (isThrough ? "away" : "more");
    const rig = { sessions, limit: 1, answer };
    for (let time = 0; time < 3; time += 1) {
      expect(await run(rig)).toMatchObject({ asked: ["a", "b"], outcome: "later" });
    }
    isThrough = true;
    expect(await run(rig)).toMatchObject({ asked: ["a", "b"], outcome: "done" });
  });

  const list = fc.array(
    fc.record({ daysAgo: fc.double({ min: 0, max: 10, noNaN: true }), busy: fc.boolean() }),
    { maxLength: 40 },
  );

  test("active, pinned and waiting ones never go, and nobody goes before one unused for longer", async () => {
    await fc.assert(
      fc.asyncProperty(
        list,
        fc.nat(20),
        fc.integer({ min: 2, max: 7 }),
        async (found, limit, nth) => {
          const sessions = found.map(({ daysAgo, busy }, index) =>
            held(`s${index}`, daysAgo, busy),
          );
          const pinned = sessions.filter((_, index) => index % nth === 0).map((s) => s.sessionKey);
          const { asked } = await run({ sessions, limit, pinned });
          const mayGo = sessions
            .filter(({ busy, lastActiveAt }) => !busy && lastActiveAt < now - 2 * day)
            .filter(({ sessionKey }) => !pinned.includes(sessionKey))
            .toSorted((one, other) => one.lastActiveAt - other.lastActiveAt)
            .map(({ sessionKey }) => sessionKey);
          const over = Math.max(0, sessions.length - limit);
          expect(asked).toEqual(mayGo.slice(0, over));
        },
      ),
    );
  });
});

test("who is chosen does not depend on the order they come in", () => {
  const sessions = fc.shuffledSubarray(Array.from({ length: 12 }, (_, n) => held(`s${n}`, n)));
  const choice = { most: 3, before: now - 2 * day, isPinned: () => false };
  fc.assert(
    fc.property(sessions, (given) => {
      const sorted = given.toSorted((one, other) => one.lastActiveAt - other.lastActiveAt);
      expect(chooseUnused(given, choice)).toEqual(chooseUnused(sorted, choice));
    }),
  );
});
