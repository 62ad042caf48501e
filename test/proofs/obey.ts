import { intentTools } from "#ext/intent-tools/index.ts";
import { memoryTools } from "#ext/memory-tools/index.ts";
import { workspaceTools } from "#ext/workspace-tools/index.ts";
import type { ToolSetExtension } from "#contract/tool.ts";
import type { Chat } from "#test/doubles/whole-memory-chat.ts";
import type { WholeMemory } from "#test/doubles/whole-memory.ts";
import { TODAY, type ForeignWay } from "./histories.ts";

/** A model that does whatever it is told with what it was told, as far as the product lets it. */
export interface Obedient {
  readonly memory: WholeMemory;
  readonly chat: Chat;
}

export async function obey(
  { memory, chat }: Obedient,
  text: string,
  way: ForeignWay,
): Promise<void> {
  const path = "path" in way ? placed(memory, way.path) : "";
  switch (way.kind) {
    case "said":
      return chat.overhear(text, way.trust);
    case "memory_write": {
      const input = { text: text.slice(0, 2_000), target: way.target };
      await chat.call(tool(memoryTools, "memory_write"), input, true);
      return;
    }
    case "append":
    case "overwrite":
      await chat.call(tool(workspaceTools, "write"), { path, text, mode: way.kind }, true);
      return;
    case "edit": {
      const input = { path, old_text: way.oldText, new_text: text, replace_all: true };
      await chat.call(tool(workspaceTools, "edit"), input, true);
      return;
    }
    case "intent": {
      const input = { action: "create", when: "boat", do: text.slice(0, 500), keywords: ["boat"] };
      await chat.call(tool(intentTools, "intent"), input, true);
    }
  }
}

/** By every way at once. */
export async function obeyEverywhere(life: Obedient, text: string): Promise<void> {
  for (const way of everyWay) {
    life.memory.time += 2_000;
    await obey(life, text, way);
  }
}

const everyWay: readonly ForeignWay[] = [
  { kind: "said", trust: "untrusted" },
  { kind: "said", trust: "system" },
  { kind: "memory_write", target: "note" },
  { kind: "memory_write", target: "preference" },
  ...[TODAY, "memory/facts.md", "MEMORY.md", "USER.md", "AGENTS.md", "skills/new/SKILL.md"].flatMap(
    (path): ForeignWay[] => [
      { kind: "append", path },
      { kind: "overwrite", path },
    ],
  ),
  { kind: "edit", path: "MEMORY.md", oldText: "## People" },
  { kind: "edit", path: "USER.md", oldText: "## Directives" },
  { kind: "edit", path: TODAY, oldText: "- " },
  { kind: "intent" },
];

export function placed(memory: WholeMemory, path: string): string {
  return path === TODAY ? `memory/${memory.today()}.md` : path;
}

export function tool(set: ToolSetExtension, name: string) {
  return set.tools.find((one) => one.name === name);
}
