import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Intent } from "#contract/intent.ts";
import { aged, fired, intentsIn, mayFire, newIntent } from "#core/memory/intent.ts";

const DAY = 86_400_000;
const now = Date.UTC(2026, 4, 3);

function intent(when: string, keywords: string[] = [], id = "a"): Intent {
  return newIntent({ when, action: "say so", keywords }, id, now);
}

describe("standing intents", () => {
  test("come up by the telling words of what was asked for", () => {
    const made = intent("when I mention Lisbon");
    expect(made.keywords).toEqual(["lisbon"]);
    expect(intentsIn("we fly to Lisbon in May", [made], now)).toEqual([made]);
    expect(intentsIn("we fly to Porto in May", [made], now)).toEqual([]);
  });

  test("come up by a phrase only when it is said whole", () => {
    const made = intent("tax", ["tax return"]);
    expect(intentsIn("my tax returns are late", [made], now)).toEqual([made]);
    expect(intentsIn("return the tax form", [made], now)).toEqual([]);
  });

  test("come up by a Korean word whatever is joined to it", () => {
    const made = intent("리스본", ["리스본"]);
    expect(intentsIn("5월에 리스본에 가요", [made], now)).toEqual([made]);
    expect(intentsIn("5월에 포르투에 가요", [made], now)).toEqual([]);
  });

  test("what no words can tell is brought up once after two weeks", () => {
    const made = intent("when it is that time again");
    const later = now + 15 * DAY;
    if (made.keywords.length > 0) throw new Error(made.keywords.join());
    expect(intentsIn("hello", [made], now)).toEqual([]);
    expect(intentsIn("hello", [made], later)).toEqual([made]);
    expect(intentsIn("hello", [fired(made, "t1", later)], later + 2 * DAY)).toEqual([]);
  });

  test("rests for a day, comes up three times and then never again", () => {
    let made = intent("Lisbon");
    const seen: number[] = [];
    for (let hour = 0; hour < 24 * 30; hour += 6) {
      const at = now + hour * 3_600_000;
      if (intentsIn("Lisbon", [made], at).length > 0) {
        seen.push(hour);
        made = fired(made, "t1", at);
      }
    }
    expect(seen).toEqual([0, 24, 48]);
    expect(aged(made, now + 4 * DAY).status).toBe("expired");
  });

  test("expires after ninety days, and only then by itself", () => {
    const made = intent("Lisbon");
    expect(aged(made, now + 89 * DAY).status).toBe("armed");
    expect(aged(made, now + 90 * DAY).status).toBe("expired");
    expect(mayFire(made, now + 90 * DAY)).toBe(false);
  });

  test("at most three in a turn, the oldest first", () => {
    const all = [3, 1, 2, 4].map((order) => ({
      ...intent("Lisbon", [], String(order)),
      createdAt: now + order,
    }));
    expect(intentsIn("Lisbon", all, now + 10).map(({ id }) => id)).toEqual(["1", "2", "3"]);
  });

  test("any text makes an intent of bounded size, and any message can be looked through", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.string(), (when, keywords, message) => {
        const made = newIntent({ when, action: when, keywords }, "x", now);
        expect(made.keywords.length).toBeLessThanOrEqual(12);
        expect(made.when).not.toMatch(/\n/);
        expect(intentsIn(message, [made], now).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
