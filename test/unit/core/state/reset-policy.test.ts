import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { configSchema, type ResetPolicy } from "#contract/config.ts";
import { expiryReason, resetPolicyFor, type SessionAge } from "#core/state/reset-policy.ts";
import { hourBegins, localDate } from "#core/state/zone-clock.ts";

const at = (text: string) => Date.parse(text);
const age = (startedAt: string, now: string, change: Partial<SessionAge> = {}): SessionAge => ({
  startedAt: at(startedAt),
  lastUserMessageAt: null,
  now: at(now),
  timeZone: "UTC",
  ...change,
});
const daily = (atHour = 4): ResetPolicy => ({ mode: "daily", atHour });
const idle = (idleMinutes: number): ResetPolicy => ({ mode: "idle", atHour: 4, idleMinutes });

describe("no policy", () => {
  test("never expires, whatever else is set", () => {
    const policy: ResetPolicy = { mode: "none", atHour: 4, idleMinutes: 1 };
    expect(expiryReason(policy, age("2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"))).toBeNull();
  });
});

describe("daily", () => {
  test.each([
    ["2026-03-02T03:59:59.999Z", "2026-03-02T04:00:00Z", "daily"],
    ["2026-03-02T03:59:59.999Z", "2026-03-02T03:59:59.999Z", null],
    ["2026-03-02T04:00:00Z", "2026-03-02T23:00:00Z", null],
    ["2026-03-02T04:00:00Z", "2026-03-03T03:59:59.999Z", null],
    ["2026-03-02T04:00:00Z", "2026-03-03T04:00:00Z", "daily"],
    ["2026-02-28T12:00:00Z", "2026-03-01T04:00:00Z", "daily"],
    ["2026-12-31T12:00:00Z", "2027-01-01T03:00:00Z", null],
    ["2026-12-31T12:00:00Z", "2027-01-01T05:00:00Z", "daily"],
    ["2026-03-02T12:00:00Z", "2026-03-01T00:00:00Z", null],
  ] as const)("from %s, at %s: %s", (startedAt, now, expected) => {
    expect(expiryReason(daily(), age(startedAt, now))).toBe(expected);
  });

  test.each([
    ["Asia/Shanghai", "2026-03-01T19:59:59Z", "2026-03-01T20:00:00Z"],
    ["America/New_York", "2026-01-15T08:59:59Z", "2026-01-15T09:00:00Z"],
    ["Asia/Kathmandu", "2026-01-14T22:14:59Z", "2026-01-14T22:15:00Z"],
  ])("strikes by the clock of %s", (timeZone, before, strike) => {
    expect(expiryReason(daily(), age(before, before, { timeZone }))).toBeNull();
    expect(expiryReason(daily(), age(before, strike, { timeZone }))).toBe("daily");
  });

  test("is not moved by what a person writes", () => {
    const policy = daily();
    const busy = { lastUserMessageAt: at("2026-03-03T03:59:00Z") };
    expect(expiryReason(policy, age("2026-03-02T12:00:00Z", "2026-03-03T04:00:00Z", busy))).toBe(
      "daily",
    );
  });

  test("comes once on days when clocks change", () => {
    const timeZone = "Europe/Oslo";
    // 29 March 2026: 02:00 becomes 03:00. 25 October 2026: 03:00 becomes 02:00.
    const expired = (startedAt: string, now: string) =>
      expiryReason(daily(2), age(startedAt, now, { timeZone }));
    expect(expired("2026-03-28T12:00:00Z", "2026-03-29T00:59:59Z")).toBeNull();
    expect(expired("2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z")).toBe("daily");
    expect(expired("2026-03-29T01:00:00Z", "2026-03-29T23:00:00Z")).toBeNull();
    expect(expired("2026-10-24T12:00:00Z", "2026-10-25T00:00:00Z")).toBe("daily");
    expect(expired("2026-10-25T00:00:00Z", "2026-10-25T01:30:00Z")).toBeNull();
    expect(expired("2026-10-25T00:00:00Z", "2026-10-26T00:59:00Z")).toBeNull();
    expect(expired("2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z")).toBe("daily");
  });
});

describe("idle", () => {
  test("counts from the last message of a person, else from the start", () => {
    const start = "2026-03-02T12:00:00Z";
    expect(expiryReason(idle(30), age(start, "2026-03-02T12:29:59Z"))).toBeNull();
    expect(expiryReason(idle(30), age(start, "2026-03-02T12:30:00Z"))).toBe("idle");
    const spoken = { lastUserMessageAt: at("2026-03-02T12:20:00Z") };
    expect(expiryReason(idle(30), age(start, "2026-03-02T12:49:59Z", spoken))).toBeNull();
    expect(expiryReason(idle(30), age(start, "2026-03-02T12:50:00Z", spoken))).toBe("idle");
  });

  test("does not expire when clocks disagree", () => {
    const later = { lastUserMessageAt: at("2026-03-02T13:00:00Z") };
    expect(
      expiryReason(idle(30), age("2026-03-02T12:00:00Z", "2026-03-02T12:31:00Z", later)),
    ).toBeNull();
  });
});

describe("both", () => {
  const both = (idleMinutes: number): ResetPolicy => ({ mode: "daily", atHour: 4, idleMinutes });
  test("expire for the reason that came first", () => {
    const session = age("2026-03-02T23:00:00Z", "2026-03-03T12:00:00Z");
    expect(expiryReason(both(60), session)).toBe("idle");
    expect(expiryReason(both(600), session)).toBe("daily");
    expect(expiryReason(both(60), age("2026-03-02T23:00:00Z", "2026-03-02T23:59:00Z"))).toBeNull();
  });
});

describe("any zone and time", () => {
  const zone = fc.constantFrom(
    "UTC",
    "Europe/Oslo",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Beirut",
    "America/Havana",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Africa/Casablanca",
  );
  const instant = fc.integer({ min: at("2012-01-01T00:00:00Z"), max: at("2040-01-01T00:00:00Z") });
  const hour = fc.integer({ min: 0, max: 23 });

  test("a daily session lives at most 26 hours, and stays expired", () => {
    fc.assert(
      fc.property(
        zone,
        instant,
        hour,
        fc.nat(100_000_000),
        (timeZone, startedAt, atHour, later) => {
          const reason = (now: number) =>
            expiryReason(daily(atHour), { startedAt, lastUserMessageAt: null, now, timeZone });
          expect(reason(startedAt)).toBeNull();
          expect(reason(startedAt + 26 * 3_600_000)).toBe("daily");
          if (reason(startedAt + later) === "daily")
            expect(reason(startedAt + later + 1)).toBe("daily");
        },
      ),
    );
  });

  test("an hour begins on its own day, and never after it strikes", () => {
    fc.assert(
      fc.property(zone, instant, hour, (timeZone, now, atHour) => {
        const date = localDate(now, timeZone);
        const begins = hourBegins(date, atHour, timeZone);
        const shown = new Intl.DateTimeFormat("en-GB", {
          timeZone,
          hour: "2-digit",
          hourCycle: "h23",
        });
        const shownHour = Number(shown.format(begins));
        expect(localDate(begins, timeZone)).toEqual(date);
        expect([atHour, atHour + 1]).toContain(shownHour);
        // One millisecond earlier the hour had not begun: no earlier instant would do.
        expect(Number(shown.format(begins - 1))).not.toBe(shownHour);
      }),
      { numRuns: 500 },
    );
  });
});

describe("resetPolicyFor", () => {
  test("prefers the policy of the kind of chat", () => {
    const { session } = configSchema.parse({
      session: {
        reset: { mode: "daily" },
        resetByKind: { group: { mode: "idle", idleMinutes: 5 } },
      },
    });
    expect(resetPolicyFor(session, "group").mode).toBe("idle");
    expect(resetPolicyFor(session, "direct")).toEqual({ mode: "daily", atHour: 4 });
  });
});
