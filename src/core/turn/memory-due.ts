import { isClean, type TranscriptEntry } from "#contract/transcript.ts";
import type { Turn } from "#contract/turn.ts";
import { captures } from "#core/memory/capture.ts";
import { isOneOff } from "#core/routing/session-key.ts";
import { isMemoryOff } from "#core/state/memory-switch.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { isOwnTurn } from "./own-turn.ts";
import { ownWordsIn } from "./own-words.ts";

/**
 * Notes at the end of a turn what the memory is owed: in the same transaction, so that whatever happens
 * next, it is known. Doing it is core/session/keep-memory.ts, afterwards and beside everything else.
 */
const BATCH_LINES = 50;
const BATCH_CHARS = 100_000;

export function oweMemory(ports: SessionPorts, turn: Turn): void {
  if (!keepsMemory(ports, turn)) return;
  const { settings, transcript } = ports.store;
  const from = getSetting(settings, "historyFrom") ?? 0;
  const entries = transcript
    .since(turn.sessionId, from)
    .filter((entry) => entry.turnId === turn.id && isSaid(entry));
  noteLastWords(ports, turn, entries);
  const known = getSetting(settings, "memoryBacklog") ?? { lines: 0, chars: 0 };
  // When it is handed over decides what the owner's searches find: that is not for others to choose.
  const clean = entries.filter(({ trust }) => isClean(trust));
  const lines = known.lines + clean.length;
  const chars = known.chars + clean.reduce((sum, entry) => sum + 4 * entry.tokens, 0);
  setSetting(settings, "memoryBacklog", { lines, chars });
  if (lines >= BATCH_LINES || chars >= BATCH_CHARS) setSetting(settings, "handOverDue", true);
  if (ports.config.memory.autoCapture && entries.some((entry) => tellsSomething(ports.key, entry)))
    setSetting(settings, "captureDue", true);
}

/** More contexts than these do not wait for their closing notes. */
const CONTEXTS = 10;

/** Found again however much others write afterwards (core/session/closing-notes.ts). */
function noteLastWords(
  { key, store: { settings } }: SessionPorts,
  { sessionId }: Turn,
  entries: readonly TranscriptEntry[],
): void {
  const last = entries.findLast((entry) => ownWordsIn(key, entry).length > 0);
  if (!last) return;
  const others = (getSetting(settings, "lastWords") ?? []).filter(
    (each) => each.sessionId !== sessionId,
  );
  setSetting(settings, "lastWords", [...others, { sessionId, seq: last.seq }].slice(-CONTEXTS));
}

/** Only what an owner says where they alone read, to somebody who will be there again. */
export function keepsMemory(ports: SessionPorts, turn: Pick<Turn, "trigger" | "detail">): boolean {
  return (
    isOwnTurn(turn) && ports.config.memory.enabled && !isOneOff(ports.key) && !isMemoryOff(ports)
  );
}

function isSaid({ role }: TranscriptEntry): boolean {
  return role === "user" || role === "assistant";
}

function tellsSomething(key: string, entry: TranscriptEntry): boolean {
  return ownWordsIn(key, entry).some(({ text }) => captures(text).length > 0);
}
