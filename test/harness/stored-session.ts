import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Conversations as they lie on disk while the Worker does not run: for tests that need a past which no
 * request can make, such as rows of an earlier version, or a rest of hours. The one place where a test
 * knows how state is stored.
 */
export type StoredSession = DatabaseSync;

/** Opens every conversation below a runtime's folder in turn. */
export function editSessions(directory: string, edit: (session: StoredSession) => void): void {
  const folder = join(directory, "do", "pagurus-SessionDO");
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  for (const name of names) {
    const session = new DatabaseSync(join(folder, name));
    try {
      edit(session);
    } finally {
      session.close();
    }
  }
}

/** Makes a conversation's past longer ago. */
export function age(session: StoredSession, ms: number): void {
  session
    .prepare("update setting set value = json(cast(value as integer) - ?) where name in (?, ?)")
    .run(ms, "sessionStartedAt", "lastUserMessageAt");
}

/** Makes what was said in a conversation that long ago, its messages and turns, too. */
export function ageAll(session: StoredSession, ms: number): void {
  age(session, ms);
  const columns = [
    ["entry", "at"],
    ["inbox", "received_at"],
    ["turn", "ended_at"],
    ["turn", "started_at"],
  ] as const;
  for (const [table, column] of columns) {
    session.prepare(`update ${table} set ${column} = ${column} - ?`).run(ms);
  }
}

/** An entry as a row; `body` holds what belongs to its role. */
export interface StoredEntry {
  readonly role: "user" | "assistant" | "tool" | "note";
  readonly body: object;
  readonly trust?: string;
  readonly turnId?: string;
}

/** Puts entries at the end of the conversation in which a word was said. True if this is the one. */
export function appendEntries(
  session: StoredSession,
  word: string,
  entries: readonly StoredEntry[],
): boolean {
  const last = session
    .prepare("select session_id as id from entry where body like ? order by seq desc limit 1")
    .get(`%${word}%`);
  if (!last) return false;
  const insert = session.prepare(
    "insert into entry (session_id, turn_id, at, role, trust, tokens, body) values (?, ?, ?, ?, ?, ?, ?)",
  );
  for (const { role, body, trust = "agent", turnId = `turn-${word}` } of entries) {
    insert.run(last["id"]!, turnId, Date.now(), role, trust, 10, JSON.stringify(body));
  }
  return true;
}
