import { modelSetting } from "./model-setting.ts";
import { isPinnedHere } from "./pinned.ts";
import type { SessionPorts } from "./ports.ts";
import { queueMode } from "./queue-mode.ts";
import { getSetting } from "./settings.ts";
import { statusText } from "./status-text.ts";

const MOST_WAITING = 100;

/**
 * What is going on here, for an owner's /status and for the model's session_status. What it costs is
 * told only where nobody but owners reads.
 */
export async function describeSession(ports: SessionPorts, isPrivate: boolean): Promise<string> {
  const { settings, transcript, turns, usage, inbox } = ports.store;
  const sessionId = getSetting(settings, "sessionId") ?? "";
  const { model, thinking } = modelSetting(ports);
  const last = turns.latest();
  return statusText({
    agentId: ports.agentId,
    model: model.ok
      ? { ok: true, value: { name: model.value.name, levels: model.value.info.thinkingLevels } }
      : model,
    thinking,
    queueMode: queueMode(ports),
    entries: transcript.count(sessionId),
    archivedParts: getSetting(settings, "putAway")?.parts ?? 0,
    pinned: isPinnedHere(ports),
    history: {
      tokens: getSetting(settings, "historyTokens") ?? 0,
      limit: ports.config.session.historyTokens,
      leftOutTurns: getSetting(settings, "leftOut") ?? 0,
    },
    running: describeRunning(ports),
    waiting: inbox.list("waiting", "message", MOST_WAITING).length,
    mostWaiting: MOST_WAITING,
    openQuestions: turns.parked().length,
    unsent: unsent(ports),
    failure: last?.status === "failed" ? (last.detail.outcome?.text ?? "") : undefined,
    usage: isPrivate ? usage.totals(sessionId) : null,
  });
}

/** Whether something runs: all that is a guest's business. */
export function describeRunning(ports: SessionPorts): string {
  const turn = ports.store.turns.running();
  if (!turn) return "Running: nothing.";
  const seconds = Math.round((ports.now() - turn.startedAt) / 1000);
  return `Running: step ${turn.step}, for ${seconds} s.`;
}

/** Messages that wait for a channel whose token is gone, or that is switched off. */
function unsent(ports: SessionPorts): { channel: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { route } of ports.store.outbox.open()) {
    if (ports.channel(route)) continue;
    counts.set(route.channel, (counts.get(route.channel) ?? 0) + 1);
  }
  return [...counts].map(([channel, count]) => ({ channel, count }));
}
