/**
 * Is a cron expression due in this minute (UTC)? Five fields of `*`, numbers, lists, ranges and steps,
 * which is what a local run needs; names and the extras of other dialects are not understood. On
 * Cloudflare this code does not run: the platform fires its own triggers.
 */
const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [1, 7],
] as const;

/** Undefined: the expression is not understood. */
export function isDue(expression: string, at: Date): boolean | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== bounds.length) return undefined;
  const now = [
    at.getUTCMinutes(),
    at.getUTCHours(),
    at.getUTCDate(),
    at.getUTCMonth() + 1,
    at.getUTCDay() + 1,
  ];
  const sets = fields.map((field, index) => expand(field, bounds[index] ?? bounds[0]));
  if (sets.includes(undefined)) return undefined;
  const hits = sets.map((set, index) => set?.has(now[index] ?? -1) ?? false);
  const [minute, hour, day, month, weekday] = hits;
  // As everywhere: if both kinds of day are restricted, either is enough.
  const either = fields[2] !== "*" && fields[4] !== "*";
  const onDay = either ? day || weekday : day && weekday;
  return Boolean(minute && hour && month && onDay);
}

function expand(field: string, [least, most]: readonly [number, number]): Set<number> | undefined {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    if (!match) return undefined;
    const from = match[1] === undefined ? least : Number(match[1]);
    const open = match[1] === undefined || match[3] !== undefined;
    const to = match[2] === undefined ? (open ? most : from) : Number(match[2]);
    const step = Number(match[3] ?? "1");
    if (from < least || to > most || step < 1) return undefined;
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}
