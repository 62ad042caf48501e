import type { SweepReport, WakeAnswer, WakeReason } from "#contract/agent-rpc.ts";
import type { Log } from "#contract/ports.ts";
import { errorText } from "#kit/error-text.ts";
import type { SessionDirectory } from "./sessions.ts";

/**
 * The sweep: wakes the sessions that are marked busy, so that one whose alarm got lost goes on. Idle
 * sessions are never touched. Bounded per run; those not woken lately come first, so that with more
 * than a run takes everybody's turn comes. A session that fails or hangs stays marked and stops nobody.
 */
const PER_RUN = 200;
const PARALLEL = 6;

export type Wake = (sessionKey: string, reason: WakeReason) => Promise<WakeAnswer>;

export async function sweep(
  sessions: SessionDirectory,
  wake: Wake,
  report: Log,
): Promise<SweepReport> {
  const queue = sessions.busy(PER_RUN);
  let woken = 0;
  let failed = 0;

  async function wakeNext(): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { sessionKey } = next;
      sessions.swept(sessionKey);
      try {
        const answer = await wake(sessionKey, "sweep");
        woken += 1;
        if (answer.idle) sessions.clear({ sessionKey, mark: answer.mark });
      } catch (error) {
        failed += 1;
        report.warn("sweep.wake_failed", { session: sessionKey, error: errorText(error) });
      }
    }
  }

  await Promise.all(Array.from({ length: PARALLEL }, wakeNext));
  if (failed > 0) report.error("sweep.incomplete", { woken, failed });
  return { woken };
}
