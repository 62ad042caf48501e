import { and, count, eq, gt } from "drizzle-orm";
import type { NoticeKey } from "#contract/agent-rpc.ts";
import type { Now } from "#contract/ports.ts";
import type { AgentDatabase } from "./database.ts";
import { notice } from "./schema.ts";

/**
 * At most one notice per stranger, for ever, and few per account and day, so that the assistant cannot
 * be made to spam. Claiming and marking are two calls: a notice that failed to go out may be tried
 * again once its claim has run out, and two messages at once get one notice.
 */
export interface Notices {
  /** True: nobody has been told yet, and the caller may send now. */
  claim(key: NoticeKey): boolean;
  /** The notice went out. */
  mark(key: NoticeKey): void;
}

const CLAIM_MS = 60_000;
const DAY_MS = 86_400_000;
const PER_DAY = 20;

export function createNotices(database: AgentDatabase, now: Now): Notices {
  function write(key: NoticeKey, sent: boolean): void {
    const change = { at: now(), sent };
    database
      .insert(notice)
      .values({ channel: key.channel, account: key.account, peer: key.peer, ...change })
      .onConflictDoUpdate({ target: [notice.channel, notice.account, notice.peer], set: change })
      .run();
  }

  return {
    claim(key) {
      const sameAccount = and(eq(notice.channel, key.channel), eq(notice.account, key.account));
      const known = database
        .select()
        .from(notice)
        .where(and(sameAccount, eq(notice.peer, key.peer)))
        .get();
      const age = known ? now() - known.at : 0;
      // Claimed in the future: before the clock was set back.
      if (known && (known.sent || (age >= 0 && age < CLAIM_MS))) return false;
      const today = database
        .select({ n: count() })
        .from(notice)
        .where(and(sameAccount, gt(notice.at, now() - DAY_MS)))
        .get();
      if ((today?.n ?? 0) >= PER_DAY) return false;
      write(key, false);
      return true;
    },
    mark(key) {
      write(key, true);
    },
  };
}
