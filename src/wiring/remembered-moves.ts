import type { Move, MoveLog } from "#contract/moves.ts";
import { inTime } from "./in-time.ts";

/**
 * The log of moves with a memory: asked with each message of a group, it reads the database once in a
 * while. That a group has moved stays true; that it has not is believed a minute, since the news may
 * have reached another isolate, and for as long as the database fails: a notice of a move fails then too,
 * and comes again.
 */
const BELIEVED_MS = 60_000;
const LIMIT_MS = 2_000;
/** Groups kept in mind. */
const MOST = 1_000;

export function rememberMoves(log: MoveLog, now: () => number): MoveLog {
  const known = new Map<string, { readonly former: string | null; readonly at: number }>();
  const keep = (name: string, former: string | null) => {
    if (known.size >= MOST) known.clear();
    known.set(name, { former, at: now() });
  };
  return {
    async record(move: Move) {
      await log.record(move);
      known.delete(nameOf(move.channel, move.to));
    },
    async formerId(channel, conversation) {
      const name = nameOf(channel, conversation);
      const kept = known.get(name);
      const age = kept ? now() - kept.at : 0;
      // A clock that was set back makes no answer last longer.
      if (kept && (kept.former !== null || (age >= 0 && age < BELIEVED_MS))) return kept.former;
      try {
        const former = await inTime(log.formerId(channel, conversation), LIMIT_MS, "the database");
        keep(name, former);
        return former;
      } catch (error) {
        if (kept) return kept.former;
        throw error;
      }
    },
  };
}

function nameOf(channel: string, conversation: string): string {
  return JSON.stringify([channel, conversation]);
}
