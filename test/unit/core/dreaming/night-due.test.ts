import { expect, test } from "vitest";
import { nightDue } from "#core/dreaming/night-due.ts";

/** The nights of these hours, looked at every quarter of an hour, as the sweep does more or less. */
function nights(
  from: string,
  hours: number,
  clock: { timeZone: string; atHour: number },
): string[] {
  let last: string | null = null;
  const found: string[] = [];
  for (let at = Date.parse(from); at < Date.parse(from) + hours * 3_600_000; at += 900_000) {
    const due = nightDue({ ...clock, at, last });
    if (due === null) continue;
    last = due.day;
    found.push(due.key);
  }
  return found;
}
const dayOf = (key: string) => key.slice(0, 10);

test.each([
  ["summer time begins, and the hour is skipped", "2026-03-28T12:00:00Z", "Europe/Berlin", 2],
  ["summer time ends, and the hour comes twice", "2026-10-24T12:00:00Z", "Europe/Berlin", 2],
  ["a zone of three quarters of an hour", "2026-10-24T12:00:00Z", "Asia/Kathmandu", 3],
  ["midnight is skipped", "2026-03-28T12:00:00Z", "Africa/Cairo", 0],
  ["the far side of the date line", "2026-10-24T12:00:00Z", "Pacific/Apia", 3],
])("a night a day where %s", (_name, from, timeZone, atHour) => {
  const days = nights(from, 24 * 4, { timeZone, atHour }).map(dayOf);
  expect(new Set(days).size).toBe(days.length);
  expect(days.length).toBeGreaterThanOrEqual(4);
});

test("a day that comes twice has two nights of different names", () => {
  const at = Date.parse("2026-05-10T03:00:00Z");
  const tokyo = nightDue({ at, timeZone: "Asia/Tokyo", atHour: 3, last: "2026-05-09" });
  const later = Date.parse("2026-05-10T23:00:00Z");
  const honolulu = nightDue({
    at: later,
    timeZone: "Pacific/Honolulu",
    atHour: 3,
    last: "2026-05-11",
  });
  expect([tokyo, honolulu].map((due) => due?.day)).toEqual(["2026-05-10", "2026-05-10"]);
  expect(honolulu?.key).not.toBe(tokyo?.key);
});
