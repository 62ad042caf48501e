import type { InboxItem } from "#contract/inbox.ts";
import { isAnswer, latestTries, partKey, settled } from "#core/delivery/outbox.ts";
import { retryTurn } from "#core/turn/start.ts";
import type { OutboxRow } from "#contract/outbox.ts";
import type { CommandChange } from "./command-run.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { currentSessionId } from "#core/state/reset.ts";

/**
 * `/again`: shows what may not have arrived of earlier answers; tries a failed or stopped turn once
 * more; else shows the last answer again. Nothing that surely arrived is sent twice uninvited.
 */
export async function againChange(ports: SessionPorts, item: InboxItem): Promise<CommandChange> {
  await arrival(ports);
  return () => {
    const turn = ports.store.turns.latest();
    const missing = missingRows(ports, turn?.id ?? null);
    if (missing.length > 0) return resend(ports, missing, item.seq);
    if (!turn) return { text: "There is no answer yet to show again." };
    // Whichever runs: an older one may have been resumed by the answer it waited for.
    if (ports.store.turns.running()) return { text: "I am still working on it." };
    const rows = latestTries(ports.store.outbox.ofTurn(turn.id).filter(isAnswer));
    if (!settled(rows)) return { text: "It is on its way." };
    if (turn.status === "failed" || turn.status === "aborted") {
      if (turn.sessionId !== currentSessionId(ports)) {
        return { text: "That was in an earlier conversation. Send the message again." };
      }
      const again = retryTurn(ports, turn);
      ports.store.setAlarm(ports.now());
      return { text: "", turnId: again.id };
    }
    const answer = rows.filter((row) => row.status === "sent");
    if (answer.length === 0) return { text: "The last turn had no answer to show." };
    return resend(ports, answer, item.seq);
  };
}

const ARRIVAL_STEP_MS = 50;
const ARRIVAL_STEPS = 40;

/** An answer that is being sent this very moment is waited for, two seconds at most. */
async function arrival(ports: SessionPorts): Promise<void> {
  const turn = ports.store.turns.latest();
  if (!turn) return;
  for (let step = 0; step < ARRIVAL_STEPS; step++) {
    if (settled(ports.store.outbox.ofTurn(turn.id).filter(isAnswer))) return;
    await ports.timers.sleep(ARRIVAL_STEP_MS);
  }
}

const DAY_MS = 24 * 3_600_000;

/**
 * What the person was told may be missing and has not been shown since, also when more was said after
 * it. What a platform refused for good counts only in the last turn.
 */
function missingRows(ports: SessionPorts, latestTurn: string | null): OutboxRow[] {
  const { outbox } = ports.store;
  const isNewest = (row: OutboxRow) =>
    latestTries(outbox.withPrefix(partKey(row))).some(({ seq }) => seq === row.seq);
  return outbox
    .doubtful(ports.now() - DAY_MS)
    .filter(isAnswer)
    .filter((row) => row.status === "unknown" || row.turnId === latestTurn)
    .filter(isNewest);
}

function resend(ports: SessionPorts, rows: readonly OutboxRow[], seq: number) {
  for (const row of rows) {
    ports.store.outbox.insert({
      key: `${partKey(row)}:again:${seq}`,
      turnId: row.turnId,
      kind: row.kind,
      mode: "send",
      route: row.route,
      part: row.part,
    });
  }
  return { text: "" };
}
