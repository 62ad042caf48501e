import type { Arrival, Chat, Deed } from "#test/doubles/whole-memory-chat.ts";
import type { WholeMemory } from "#test/doubles/whole-memory.ts";
import { TODAY, type ForeignWay } from "./histories.ts";

/** A model that does whatever it is told with what it was told, as far as the product lets it. */
export interface Obedient {
  readonly memory: WholeMemory;
  readonly chat: Chat;
}

/** The calls it makes of it. */
export function deedsOf(memory: WholeMemory, text: string, way: ForeignWay): Deed[] {
  switch (way.kind) {
    case "nothing":
      return [];
    case "search":
      return [{ tool: "memory_search", input: { query: text.slice(0, 1_000) } }];
    case "project": {
      const folder = `projects/${way.name}`;
      if (way.by === "ls") return [{ tool: "ls", input: { path: folder } }];
      const write = { path: `${folder}/plan.md`, text, mode: "append" };
      return [{ tool: way.by, input: way.by === "read" ? { path: write.path } : write }];
    }
    case "memory_write": {
      const input = { text: text.slice(0, 2_000), target: way.target };
      return [{ tool: "memory_write", input }];
    }
    case "append":
    case "overwrite": {
      const input = { path: placed(memory, way.path), text, mode: way.kind };
      return [{ tool: "write", input }];
    }
    case "edit": {
      const change = { old_text: way.oldText, new_text: text, replace_all: true };
      return [{ tool: "edit", input: { path: placed(memory, way.path), ...change } }];
    }
    case "intent": {
      const asked = { when: "boat", do: text.slice(0, 500), keywords: ["boat"] };
      return [{ tool: "intent", input: { action: "create", ...asked } }];
    }
  }
}

/** By every way there is, in one turn. */
export async function obeyEverywhere(
  { memory, chat }: Obedient,
  text: string,
  arrival: Arrival,
): Promise<void> {
  await chat.obey(text, arrival, everyDeed(memory, text));
}

export function everyDeed(memory: WholeMemory, text: string): Deed[] {
  return everyWay.flatMap((way) => deedsOf(memory, text, way));
}

export const everyPath = [
  "MEMORY.md",
  "USER.md",
  "AGENTS.md",
  "SOUL.md",
  "IDENTITY.md",
  "TOOLS.md",
  "HEARTBEAT.md",
  "DREAMS.md",
  "skills/new/SKILL.md",
];

const everyWay: readonly ForeignWay[] = [
  { kind: "memory_write", target: "note" },
  { kind: "memory_write", target: "preference" },
  ...[TODAY, "memory/facts.md", ...everyPath].flatMap((path): ForeignWay[] => [
    { kind: "append", path },
    { kind: "overwrite", path },
  ]),
  { kind: "edit", path: "MEMORY.md", oldText: "## People" },
  { kind: "edit", path: "USER.md", oldText: "## Directives" },
  { kind: "edit", path: TODAY, oldText: "- " },
  { kind: "project", name: "boat", by: "write" },
  { kind: "intent" },
];

export function placed(memory: WholeMemory, path: string): string {
  return path === TODAY ? `memory/${memory.today()}.md` : path;
}
