import { modelSetting } from "./model-setting.ts";
import type { SessionPorts } from "./ports.ts";
import { queueMode } from "./queue-mode.ts";
import { getSetting } from "./settings.ts";

/** `$0.0123`, or that it is not known. */
export function money(cost: number | null): string {
  return cost === null
    ? "not known (the price of a model used here is not listed)"
    : `$${cost.toFixed(4)}`;
}

/** What is going on here, for an owner's /status and for the model's session_status. */
export async function describeSession(ports: SessionPorts): Promise<string> {
  const { settings, turns, usage, inbox } = ports.store;
  const sessionId = getSetting(settings, "sessionId") ?? "";
  const { model, thinking } = modelSetting(ports);
  const waiting = inbox.list("waiting", "message", 100).length;
  const last = turns.latest();
  const sum = usage.totals(sessionId);
  return [
    `Agent: ${ports.agentId}. Model: ${model.ok ? model.value.name : model.error}`,
    `Thinking: ${thinking}. Queue: ${queueMode(ports)}.`,
    conversationLine(ports, sessionId),
    describeRunning(ports),
    ...(waiting > 0 ? [`Waiting: ${waiting} messages.`] : []),
    ...(last?.status === "failed"
      ? [`Last turn failed: ${last.detail.outcome?.reason ?? ""}.`]
      : []),
    `Usage: ${sum.calls} calls, ${sum.input + sum.cacheRead + sum.cacheWrite} in, ${sum.output} out, ${money(sum.cost)}.`,
  ].join("\n");
}

/** Whether something runs: all that is a guest's business. */
export function describeRunning(ports: SessionPorts): string {
  const turn = ports.store.turns.running();
  if (!turn) return "Running: nothing.";
  const seconds = Math.round((ports.now() - turn.startedAt) / 1000);
  return `Running: step ${turn.step}, for ${seconds} s.`;
}

function conversationLine(ports: SessionPorts, sessionId: string): string {
  const { settings, transcript } = ports.store;
  const tokens = getSetting(settings, "historyTokens") ?? 0;
  const leftOut = getSetting(settings, "leftOut") ?? 0;
  const older = leftOut > 0 ? `, ${leftOut} older turns left out` : "";
  return `Conversation: ${transcript.count(sessionId)} entries, about ${tokens} tokens sent with each message${older}.`;
}
