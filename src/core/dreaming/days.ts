/** Days as dates of the owner's calendar (YYYY-MM-DD): counting them needs no time zone. */
const dayMs = 86_400_000;

/** How many days `day` lies before `today`; negative when it is later, null when it is no date. */
export function daysBefore(day: string, today: string): number | null {
  const difference = (Date.parse(today) - Date.parse(day)) / dayMs;
  return Number.isFinite(difference) ? Math.round(difference) : null;
}

/** Is it one of the `days` days that end with `today`? */
export function isWithin(day: string, today: string, days: number): boolean {
  const age = daysBefore(day, today);
  return age !== null && age >= 0 && age < days;
}

/** Lower code points first: the same order on every platform. */
export function compareText(first: string, second: string): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
