import type { SessionStore } from "#contract/session-store.ts";
import { openDatabase } from "./database.ts";
import { createInboxStore } from "./inbox-store.ts";
import { createOutboxStore } from "./outbox-store.ts";
import { createSettingsStore } from "./settings-store.ts";
import { createTranscriptStore } from "./transcript-store.ts";
import { createJournalStore, createTurnStore } from "./turn-store.ts";
import { createUsageStore } from "./usage-store.ts";

/** SessionStore over the SQLite of one Durable Object, whose schema is migrated already. */
export function createSessionStore(storage: DurableObjectStorage, now: () => number): SessionStore {
  const database = openDatabase(storage);
  const settings = createSettingsStore(database);
  return {
    inbox: createInboxStore(database),
    transcript: createTranscriptStore(database),
    turns: createTurnStore(database),
    journal: createJournalStore(database, now),
    outbox: createOutboxStore(database, now),
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
