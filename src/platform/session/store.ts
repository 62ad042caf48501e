import type { SessionStore } from "#contract/session-store.ts";
import { openDatabase } from "./database.ts";
import { InboxTable } from "./inbox-store.ts";
import { OutboxTable } from "./outbox-store.ts";
import { createSettingsStore } from "./settings-store.ts";
import { TranscriptTable } from "./transcript-store.ts";
import { JournalTable, TurnTable } from "./turn-store.ts";
import { createUsageStore } from "./usage-store.ts";

/** SessionStore over the SQLite of one Durable Object, whose schema is migrated already. */
export function createSessionStore(storage: DurableObjectStorage, now: () => number): SessionStore {
  const database = openDatabase(storage);
  const settings = createSettingsStore(database);
  return {
    inbox: new InboxTable(database),
    transcript: new TranscriptTable(database),
    turns: new TurnTable(database),
    journal: new JournalTable(database, now),
    outbox: new OutboxTable(database, now),
    settings,
    usage: createUsageStore(database),
    transaction(work) {
      try {
        return storage.transactionSync(work);
      } catch (error) {
        settings.forget();
        throw error;
      }
    },
    setAlarm(at) {
      // Not awaited on purpose: the write is part of the present transaction, and awaiting it would
      // open the input gate in the middle of one.
      void storage.setAlarm(at);
    },
  };
}
