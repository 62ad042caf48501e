import { z } from "zod";
import type { ForgottenLines } from "#contract/agent-rpc.ts";

/** How far a forgetting in files is, as one text: a part of it that was cut off is made again from here. */
const stateSchema = z.object({
  done: z.boolean(),
  phase: z.enum(["files", "said", "waiting", "versions", "end"]).default("files"),
  /** The path that the phase has come to. */
  after: z.string().nullable().default(null),
  /** Of the lines as they stood in the files: by these the ledger knows them. */
  hashes: z.array(z.string()),
  removed: z.record(z.string(), z.number()),
  versions: z.array(z.string()),
  refused: z.array(z.string()).default([]),
});
export type ForgetState = z.infer<typeof stateSchema>;

export function readState(text: string | null): ForgetState {
  try {
    const kept: unknown = text === null ? null : JSON.parse(text);
    return stateSchema.safeParse(kept).data ?? freshState();
  } catch {
    return freshState();
  }
}

function freshState(): ForgetState {
  const begin = { done: false, phase: "files", after: null } as const;
  return { ...begin, hashes: [], removed: {}, versions: [], refused: [] };
}

export function reportOf({ removed, versions, refused }: ForgetState): ForgottenLines {
  const byPath = Object.entries(removed).map(([path, lines]) => ({ path, lines }));
  const inOrder = byPath.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { removed: inOrder, versions: versions.length, refused };
}
