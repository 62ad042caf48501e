import type { SessionStore, UnreadableRow } from "#contract/session-store.ts";
import { clearDone } from "./clear-done.ts";
import { InboxTable } from "./inbox-store.ts";
import { JournalTable } from "./journal-store.ts";
import { OutboxTable } from "./outbox-store.ts";
import { createSettingsStore } from "./settings-store.ts";
import { createTextsStore } from "./rewrite-texts.ts";
import { TranscriptTable } from "./transcript-store.ts";
import { TurnTable } from "./turn-store.ts";
import { UnreadableRows } from "./unreadable.ts";
import { createUsageStore } from "./usage-store.ts";

/** SessionStore over the SQLite of one Durable Object, whose schema is migrated already. */
export function createSessionStore(
  storage: DurableObjectStorage,
  now: () => number,
  report: (row: UnreadableRow) => void = () => {},
): SessionStore {
  const unreadable = new UnreadableRows(report);
  const inbox = new InboxTable(storage, unreadable);
  const transcript = new TranscriptTable(storage, unreadable);
  const journal = new JournalTable(storage, now, unreadable);
  const outbox = new OutboxTable(storage, now, unreadable);
  const turns = new TurnTable(storage, now, unreadable, (id) => {
    journal.turnBegins(id);
    outbox.turnBegins(id);
  });
  const settings = createSettingsStore(storage);
  const remembering = [inbox, transcript, turns, journal, outbox, settings, unreadable];
  const forgetCached = () => remembering.forEach((part) => part.forget());
  return {
    inbox,
    transcript,
    turns,
    journal,
    outbox,
    settings,
    usage: createUsageStore(storage, unreadable),
    texts: createTextsStore(storage, forgetCached),
    clearDone(before) {
      storage.transactionSync(() => clearDone(storage, before));
      forgetCached();
    },
    unreadable: () => unreadable.open(),
    closeUnreadable: () => unreadable.close(),
    transaction(work) {
      try {
        return storage.transactionSync(work);
      } catch (error) {
        forgetCached();
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
