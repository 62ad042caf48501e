import { z } from "zod";
import type { CompareRound, DirtyPaths } from "#contract/memory-index.ts";
import type { AgentSettings } from "./settings.ts";

/**
 * DirtyPaths in one setting of AgentDO: few paths, since each is gone a second or two later. What does
 * not fit is found by comparing versions; how far a long comparison is stands in another one.
 */
const NAME = "memory.dirty";
const MAX_PATHS = 2_000;
const schema = z.array(z.string()).catch([]);
const ROUND = "memory.round";
const roundSchema = z
  .object({ startedAt: z.number(), pages: z.number(), after: z.string().nullable() })
  .nullable()
  .catch(null);

export function createDirtyPaths(settings: AgentSettings): DirtyPaths {
  let kept: Set<string> | undefined;
  const paths = (): Set<string> => {
    kept ??= new Set(schema.parse(parsed(settings.get(NAME))));
    return kept;
  };
  let round: { readonly kept: CompareRound | null } | undefined;
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
    round() {
      round ??= { kept: roundSchema.parse(parsed(settings.get(ROUND) ?? "null")) };
      return round.kept;
    },
    keepRound(kept) {
      round = { kept };
      settings.set(ROUND, JSON.stringify(kept));
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
