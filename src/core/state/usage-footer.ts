import type { Turn, TurnDetail } from "#contract/turn.ts";
import type { SessionPorts } from "./ports.ts";
import { getSetting } from "./settings.ts";

/** The line under an answer that `/usage tokens|full|cost` turns on. Empty when it is off. */
export function usageFooter(ports: SessionPorts, turn: Turn): string {
  const mode = getSetting(ports.store.settings, "usageFooter") ?? "off";
  const { usage, unreported, model } = turn.detail;
  if (mode === "off" || (!usage && !unreported)) return "";
  const tokens = tokensOf(turn.detail);
  if (mode === "tokens") return `\n\n_${tokens}_`;
  const money = moneyOf(ports, turn);
  if (mode === "cost") return `\n\n_${money}_`;
  const cached = usage ? ` (${usage.cacheRead} cached)` : "";
  return `\n\n_${model} · ${tokens}${cached} · ${money}_`;
}

function tokensOf({ usage, unreported }: TurnDetail): string {
  if (!usage) return "tokens not reported by the model's server";
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return `${unreported ? "at least " : ""}${input} in, ${usage.output} out`;
}

function moneyOf(ports: SessionPorts, turn: Turn): string {
  const sum = ports.store.usage.totals(turn.sessionId);
  if (sum.cost !== null) return `$${sum.cost.toFixed(4)} this conversation`;
  return sum.unreported > 0 ? "cost not reported by the model's server" : "price unknown";
}
