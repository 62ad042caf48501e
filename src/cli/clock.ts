import { setTimeout as sleep } from "node:timers/promises";
import { isDue } from "./cron-due.ts";

/**
 * Fires the Worker's Cron Triggers on this machine, where the platform does not: heartbeats and the
 * sweeper work under `npm start` as they do when deployed. A run that fails is reported and not
 * repeated; the next minute is another chance.
 */
const MINUTE = 60_000;

export interface ClockOptions {
  readonly url: string;
  readonly crons: readonly string[];
  readonly signal: AbortSignal;
  readonly report: (problem: string) => void;
}

/** Runs until `signal` aborts. */
export async function runClock({ url, crons, signal, report }: ClockOptions): Promise<void> {
  const known = crons.filter((cron) => {
    const understood = isDue(cron, new Date()) !== undefined;
    if (!understood) report(`the cron "${cron}" is not understood here and does not run locally`);
    return understood;
  });
  while (!signal.aborted) {
    // Timers may be a little early: aim behind the full minute, not at it.
    await sleep(MINUTE - (Date.now() % MINUTE) + 100, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const minute = new Date();
    for (const cron of known.filter((each) => isDue(each, minute))) {
      await fire({ url, cron, at: minute, signal }).catch((error: unknown) => {
        if (!signal.aborted) report(`the cron "${cron}" failed: ${String(error)}`);
      });
    }
  }
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
