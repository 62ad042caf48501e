import { setTimeout as sleep } from "node:timers/promises";
import { isDue } from "./cron-due.ts";
import { isAlive } from "./target.ts";

/**
 * What the platform does once deployed and nobody does on this machine: fires the Worker's Cron
 * Triggers, so that the sweeper works under `npm start` too, and looks every minute
 * whether the Worker still answers. A cron run that fails is reported and not repeated; the next one
 * is another chance.
 */
const MINUTE = 60_000;

export interface ClockOptions {
  readonly url: string;
  readonly crons: readonly string[];
  readonly minutes: AsyncIterable<Date>;
  readonly report: (problem: string) => void;
}

/** A laptop that wakes up may miss one look; a runtime that hangs misses the next as well. */
const MISSED_LOOKS = 2;

/** Runs until the minutes end, or until the Worker has not answered several times in a row. */
export async function runClock(options: ClockOptions): Promise<"over" | "silent"> {
  const { url, crons, minutes, report } = options;
  const known = crons.filter((cron) => isDue(cron, new Date(0)) !== undefined);
  for (const cron of crons.filter((each) => !known.includes(each))) {
    report(`the cron "${cron}" is not understood here and does not run locally`);
  }
  let missed = 0;
  for await (const minute of minutes) {
    missed = (await isAlive(url)) ? 0 : missed + 1;
    if (missed === MISSED_LOOKS) return "silent";
    for (const cron of missed === 0 ? known.filter((each) => isDue(each, minute)) : []) {
      await fire(url, cron, minute).catch((error: unknown) =>
        report(`the cron "${cron}" failed: ${String(error)}`),
      );
    }
  }
  return "over";
}

/** The beginning of every minute, until the signal. */
export async function* everyMinute(signal: AbortSignal): AsyncGenerator<Date> {
  for (;;) {
    // Timers may be a little early: aim behind the full minute, not at it.
    await sleep(MINUTE - (Date.now() % MINUTE) + 100, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    yield new Date();
  }
}

/** Rejects when the Worker's handler failed or could not be reached. */
async function fire(url: string, cron: string, at: Date): Promise<void> {
  const query = new URLSearchParams({ cron, time: `${at.getTime()}` });
  const response = await fetch(`${url}/cdn-cgi/local/scheduled?${query.toString()}`);
  const outcome = await response.text();
  if (!response.ok || outcome !== "ok") throw new Error(`${response.status} ${outcome}`);
}
