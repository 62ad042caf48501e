import { z } from "zod";
import type { DirtyPaths } from "#contract/memory-index.ts";
import type { AgentSettings } from "./settings.ts";

/**
 * DirtyPaths in one setting of AgentDO: few paths, since each is gone a second or two later. What does
 * not fit is found by comparing versions.
 */
const NAME = "memory.dirty";
const MAX_PATHS = 2_000;
const schema = z.array(z.string()).catch([]);

export function createDirtyPaths(settings: AgentSettings): DirtyPaths {
  let kept: Set<string> | undefined;
  const paths = (): Set<string> => {
    kept ??= new Set(schema.parse(parsed(settings.get(NAME))));
    return kept;
  };
  const store = () => settings.set(NAME, JSON.stringify([...paths()]));
  return {
    all: () => [...paths()],
    add(added) {
      const before = paths().size;
      for (const path of added) if (paths().size < MAX_PATHS) paths().add(path);
      if (paths().size !== before) store();
    },
    remove(path) {
      if (paths().delete(path)) store();
    },
  };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
}
