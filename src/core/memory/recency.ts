/**
 * What dated notes lose with age. Weak by default: it re-orders what is about equal and buries nothing,
 * because most questions about the past are about the past. Strong only for questions about now.
 */
const HALF_LIFE_DAYS = 30;
const WEAK_FLOOR = 0.99;
const STRONG_FLOOR = 0.4;
const DAY_MS = 86_400_000;

const aboutNow =
  /\b(latest|lately|recent(ly)?|current(ly)?|nowadays|these days|right now|today|yesterday|this (week|month)|most recent|newest|at the moment|still)\b|最近|近来|近來|目前|现在|現在|今天|昨天|最新|今日|昨日|このごろ|요즘|최근|지금|오늘|어제/iu;

export function asksAboutNow(question: string): boolean {
  return aboutNow.test(question);
}

/** 1 for what is of today or has no date, towards the floor for what is old. */
export function recencyFactor(date: string | null, today: string, strong: boolean): number {
  if (date === null) return 1;
  const age = (Date.parse(today) - Date.parse(date)) / DAY_MS;
  if (!Number.isFinite(age)) return 1;
  const floor = strong ? STRONG_FLOOR : WEAK_FLOOR;
  return floor + (1 - floor) * 2 ** (-Math.max(0, age) / HALF_LIFE_DAYS);
}
