import type { MoveLog } from "#contract/moves.ts";
import { createMoveLog } from "#platform/d1/moves.ts";
import { rememberMoves } from "./remembered-moves.ts";

const logs = new WeakMap<Env, MoveLog>();

/** One log for each env, and so one memory for each isolate. */
export function movesOf(env: Env): MoveLog {
  const made = logs.get(env) ?? rememberMoves(createMoveLog(env.DB), Date.now);
  logs.set(env, made);
  return made;
}
