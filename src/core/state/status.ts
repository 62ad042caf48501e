import type { QueueMode } from "#contract/config.ts";
import type { UsageTotals } from "#contract/session-store.ts";
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

/**
 * What is going on here, for an owner's /status and for the model's session_status. What it costs is
 * told only where nobody but owners reads.
 */
export async function describeSession(ports: SessionPorts, isPrivate: boolean): Promise<string> {
  const { settings, turns, usage, inbox } = ports.store;
  const sessionId = getSetting(settings, "sessionId") ?? "";
  const { model, thinking } = modelSetting(ports);
  const waiting = inbox.list("waiting", "message", 100).length;
  const last = turns.latest();
  return [
    `Agent: ${ports.agentId}. Model: ${model.ok ? model.value.name : model.error}`,
    `Thinking: ${thinking}. Messages sent while I work: ${queueWords[queueMode(ports)]}.`,
    conversationLine(ports, sessionId),
    describeRunning(ports),
    ...(waiting > 0 ? [`Waiting: ${counted(waiting, "message")}.`] : []),
    ...(last?.status === "failed"
      ? [`The last message was not answered: ${last.detail.outcome?.text ?? ""}`]
      : []),
    isPrivate ? usageLine(usage.totals(sessionId)) : "Usage: ask me in a direct chat.",
  ].join("\n");
}

const queueWords: Readonly<Record<QueueMode, string>> = {
  steer: "they join the answer under way",
  followup: "each is answered afterwards",
  collect: "they are answered together afterwards",
  interrupt: "they stop me, and I begin anew",
};

function usageLine({ calls, input, cacheRead, cacheWrite, output, cost }: UsageTotals): string {
  const read = input + cacheRead + cacheWrite;
  return `Usage: ${counted(calls, "model call")}, ${read} tokens in, ${output} out. Cost: ${money(cost)}.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
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
  const older =
    leftOut > 0 ? `; ${counted(leftOut, "older turn")} of it no longer sent to the model` : "";
  const entries = transcript.count(sessionId);
  const size = `${entries} ${entries === 1 ? "entry" : "entries"}`;
  return `Conversation: ${size}, about ${tokens} tokens in this conversation${older}.`;
}
