import { setTimeout as sleep } from "node:timers/promises";
import { isDue } from "./cron-due.ts";
import { isAlive } from "./target.ts";

/**
 * What the platform does once deployed and nobody does on this machine: fires the Worker's Cron
 * Triggers, so that heartbeats and the sweeper work under `npm start` too, and looks every minute
 * whether the Worker still answers. A cron run that fails is reported and not repeated; the next one
 * is another chance.
 */
const MINUTE = 60_000;

export interface ClockOptions {
  readonly url: string;
  readonly crons: readonly string[];
  readonly signal: AbortSignal;
  readonly report: (problem: string) => void;
}

/** A laptop that wakes up may miss one look; a runtime that hangs misses the next as well. */
const MISSED_LOOKS = 2;

/** Runs until `signal` aborts, or until the Worker has not answered several times in a row. */
export async function runClock(options: ClockOptions): Promise<"aborted" | "silent"> {
  const { url, crons, signal, report } = options;
  const known = crons.filter((cron) => {
    const understood = isDue(cron, new Date()) !== undefined;
    if (!understood) report(`the cron "${cron}" is not understood here and does not run locally`);
    return understood;
  });
  for (let missed = 0; missed < MISSED_LOOKS;) {
    // Timers may be a little early: aim behind the full minute, not at it.
    await sleep(MINUTE - (Date.now() % MINUTE) + 100, undefined, { signal }).catch(() => {});
    if (signal.aborted) return "aborted";
    missed = (await isAlive(url)) ? 0 : missed + 1;
    if (missed > 0) continue;
    const minute = new Date();
    for (const cron of known.filter((each) => isDue(each, minute))) {
      await fire({ url, cron, at: minute, signal }).catch((error: unknown) => {
        if (!signal.aborted) report(`the cron "${cron}" failed: ${String(error)}`);
      });
    }
  }
  return "silent";
}

interface Firing {
  readonly url: string;
  readonly cron: string;
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** Rejects when the Worker's handler failed or could not be reached. */
export async function fire({ url, cron, at, signal }: Firing): Promise<void> {
  const query = new URLSearchParams({ cron, time: `${at.getTime()}` });
  const response = await fetch(`${url}/cdn-cgi/local/scheduled?${query.toString()}`, { signal });
  const outcome = await response.text();
  if (!response.ok || outcome !== "ok") throw new Error(`${response.status} ${outcome}`);
}
