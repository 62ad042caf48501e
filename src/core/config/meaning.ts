import type { Config } from "#contract/config.ts";
import type { ConfigProblem } from "#contract/runtime-config.ts";
import { parsePeer } from "#core/routing/identity.ts";
import { agentIds } from "./agents.ts";
import { nearest } from "#kit/nearest.ts";

/**
 * What a schema cannot see: names that point nowhere, and the same name twice. Warnings only; the
 * settings are in force as they are written.
 */
export function checkMeaning(config: Config): ConfigProblem[] {
  return [...repeatedAgents(config), ...unknownAgents(config), ...ambiguousLinks(config)];
}

function repeatedAgents({ agents }: Config): ConfigProblem[] {
  return agents.list.flatMap(({ id }, index) => {
    const first = agents.list.findIndex((agent) => agent.id === id);
    return first === index ? [] : [warning(`agents.list[${index}].id`, `"${id}" is there already`)];
  });
}

function unknownAgents(config: Config): ConfigProblem[] {
  const known = agentIds(config);
  return config.bindings.flatMap(({ agent }, index) => {
    if (known.includes(agent)) return [];
    const meant = nearest(agent, known);
    const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
    return [warning(`bindings[${index}].agent`, `agents.list has no "${agent}"${hint}`)];
  });
}

/** One id under two people: only the first link counts for conversations. */
function ambiguousLinks({ session }: Config): ConfigProblem[] {
  const seen = new Set<string>();
  return Object.entries(session.identityLinks).flatMap(([person, entries]) =>
    entries.flatMap((entry, index) => {
      const peer = parsePeer(entry);
      const name = peer ? `${peer.channel}:${peer.id}` : entry;
      const repeated = seen.has(name);
      seen.add(name);
      const path = `session.identityLinks.${person}[${index}]`;
      return repeated ? [warning(path, `"${entry}" is linked already`)] : [];
    }),
  );
}

function warning(path: string, message: string): ConfigProblem {
  return { severity: "warning", path, message };
}
