import type { NoteEntry } from "#contract/memory.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import { captureEntries } from "#core/memory/capture.ts";
import { noteDay } from "#core/memory/note-format.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { ownWordsIn } from "#core/turn/own-words.ts";
import { keepId, keptPages } from "./kept-entries.ts";

/**
 * Writes into the day's note, in the owner's own words, what they said about themselves since the last
 * time. Done twice it changes nothing: an operation has one id, and what stands there is not added again.
 */
export async function captureNew(ports: SessionPorts): Promise<void> {
  const { settings } = ports.store;
  if (!getSetting(settings, "captureDue")) return;
  const latest = ports.store.transcript.latestSeq();
  const after = getSetting(settings, "capturedSeq") ?? 0;
  for (const { entries, lastSeq } of keptPages(ports, after)) {
    for (const day of byDay(ports, entries)) await writeDay(ports, day);
    setSetting(settings, "capturedSeq", lastSeq);
  }
  // What came meanwhile has set the mark for itself, at the end of its turn.
  if (ports.store.transcript.latestSeq() === latest) settings.delete("captureDue");
}

interface Day {
  readonly at: number;
  readonly seq: number;
  readonly entries: NoteEntry[];
}

/** Captures in order, those of one day of the owner's together. */
function byDay(ports: SessionPorts, entries: readonly TranscriptEntry[]): Day[] {
  const days = new Map<string, Day>();
  for (const entry of entries) {
    const found = ownWordsIn(ports.key, entry).flatMap(captureEntries);
    if (found.length === 0) continue;
    const name = noteDay({ at: entry.at, timeZone: ports.timeZone });
    const day = days.get(name);
    days.set(name, {
      at: day?.at ?? entry.at,
      seq: entry.seq,
      entries: [...(day?.entries ?? []), ...found],
    });
  }
  return [...days.values()];
}

async function writeDay(ports: SessionPorts, { at, seq, entries }: Day): Promise<void> {
  // A try that was refused stands in the log under its id.
  const failures = getSetting(ports.store.settings, "memoryFailures") ?? 0;
  const operationId = keepId(ports, "capture", failures === 0 ? seq : `${seq}:${failures}`);
  const receipt = await ports.agent.memory.note({ operationId, at, entries });
  // It stays owed: what an owner says is not given up because a note did not take it today.
  if (!receipt.ok) throw new Error(`the day's note did not take what was said: ${receipt.reason}`);
  setSetting(ports.store.settings, "sinceRemembered", 0);
}
