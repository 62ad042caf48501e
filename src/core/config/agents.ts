import type { Config } from "#contract/config.ts";

/** Ids of the agents there are, the default one first, each once. */
export function agentIds({ agents }: Pick<Config, "agents">): string[] {
  return [...new Set([agents.default, ...agents.list.map(({ id }) => id)])];
}
