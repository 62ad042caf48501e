import type { JobOutcome } from "#platform/agent/timetable.ts";
import { ONE_OFF_KEYS } from "#core/routing/session-key.ts";
import { putAwayUnused, type SessionShelf } from "#core/agent/unused-sessions.ts";
import { isPinned } from "#core/state/pinned.ts";
import type { SessionDirectory } from "#platform/agent/sessions.ts";
import { inTime } from "./in-time.ts";
import { loadRuntime } from "./runtime.ts";
import { sessionStub } from "./stubs.ts";

/** Sees to it that an agent has no more conversations at hand than it is to keep. */
export interface AgentShelf {
  /** Called by each sweep: has a step done soon, once an hour, where there are too many. */
  tick(): void;
  step(): Promise<JobOutcome>;
}

const LOOK_EVERY_MS = 3_600_000;
const ANSWER_MS = 20_000;

export function openShelf(env: Env, sessions: SessionDirectory, schedule: () => void): AgentShelf {
  const { runtime, log } = loadRuntime(env);
  const rules = runtime.config.session.retention;
  const now = () => Date.now();
  const shelf: SessionShelf = {
    // They end by themselves, two days later.
    present: () => sessions.present(ONE_OFF_KEYS),
    unused: (limit) => sessions.unused(limit, ONE_OFF_KEYS),
    spare: (key, until) => sessions.spare(key, until),
    archive: (session) => sessions.archive(session),
  };
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    tick() {
      if (Math.abs(now() - lookedAt) < LOOK_EVERY_MS) return;
      lookedAt = now();
      if (shelf.present() > rules.sessions) schedule();
    },
    async step() {
      const outcome = await putAwayUnused({
        shelf,
        rules,
        isPinned: (session) => isPinned(rules.pinned, session),
        ask: (key) => inTime(sessionStub(env, key).putAway(), ANSWER_MS, "the conversation"),
        now,
        log,
      });
      // Like work that failed: again after a while, longer each time.
      return outcome === "later" ? "failed" : outcome;
    },
  };
}
