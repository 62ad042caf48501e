import type { Intent } from "#contract/intent.ts";

const DAY = 86_400_000;

/** Standing intents for people and models: one line each. */
export function describeIntents(intents: readonly Intent[], now: number): string {
  if (intents.length === 0) return "There are no standing intents.";
  return intents
    .map(({ id, status, when, action, keywords, fires, expiresAt }) => {
      const days = Math.max(0, Math.ceil((expiresAt - now) / DAY));
      const rest = status === "armed" ? `, ${days} days left` : "";
      return `- ${id} (${status}, came up ${fires}×${rest}): when ${when} → ${action} [${keywords.join(", ")}]`;
    })
    .join("\n");
}
