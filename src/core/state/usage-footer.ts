import type { Turn } from "#contract/turn.ts";
import type { SessionPorts } from "./ports.ts";
import { getSetting } from "./settings.ts";

/** The line under an answer that `/usage tokens|full|cost` turns on. Empty when it is off. */
export function usageFooter(ports: SessionPorts, turn: Turn): string {
  const mode = getSetting(ports.store.settings, "usageFooter") ?? "off";
  const usage = turn.detail.usage;
  if (mode === "off" || !usage) return "";
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  const tokens = `${input} in, ${usage.output} out`;
  if (mode === "tokens") return `\n\n_${tokens}_`;
  const { cost } = ports.store.usage.totals(turn.sessionId);
  const money = cost === null ? "price unknown" : `$${cost.toFixed(4)} this conversation`;
  if (mode === "cost") return `\n\n_${money}_`;
  return `\n\n_${turn.detail.model} · ${tokens} (${usage.cacheRead} cached) · ${money}_`;
}
