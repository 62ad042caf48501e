import { memoryIdentity } from "#core/agent/memory-access.ts";
import { DAY_NOTES, notePart, notePath } from "#core/memory/note-format.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import { wrapExternal } from "#kit/external-content.ts";
import { describeError } from "#kit/redact.ts";
import { frameId, frameSecret } from "./frame.ts";
import type { Run } from "./run.ts";

/**
 * `memory.dailyNotesInContext`: the notes of yesterday and today, newest last. Only lines that the owner or
 * the agent stands behind, so that nothing from outside comes up by itself; and still in the frame for text
 * of others, since a note is to be known, not obeyed. All further notes of a day are asked for, and not just
 * up to the first that has nothing to show: that one may be full of what others said.
 */
const ROOM = 6_000;
const LINES = 400;
const DAY_MS = 24 * 3_600_000;

export async function recentNotes(run: Run): Promise<string[]> {
  const { ports, turn } = run;
  if (ports.config.memory.dailyNotesInContext === "off") return [];
  const days = [turn.startedAt, turn.startedAt - DAY_MS];
  const paths = new Set(days.map((at) => notePath({ at, timeZone: ports.timeZone })));
  try {
    const text = await newestText(run, [...paths]);
    const shown =
      text.length > ROOM ? text.slice(text.indexOf("\n", text.length - ROOM) + 1) : text;
    if (shown.trim() === "") return [];
    return [wrapExternal(shown, frameId(frameSecret(ports), `notes:${turn.id}`))];
  } catch (error) {
    ports.log.warn("recall.notes_failed", { turn: turn.id, error: describeError(error) });
    return [];
  }
}

/** Of the days, the last one first, as many as there is room for. */
async function newestText(run: Run, days: readonly string[]): Promise<string> {
  let text = "";
  for (const day of days) {
    if (text.length >= ROOM) break;
    const paths = Array.from({ length: DAY_NOTES }, (_, index) => notePart(day, index + 1));
    const parts = await Promise.all(paths.map((path) => cleanText(run, path)));
    text = [...parts, text].filter((each) => each !== "").join("\n\n");
  }
  return text;
}

async function cleanText({ ports, turn }: Run, path: string): Promise<string> {
  const identity = memoryIdentity(memoryRules(ports, turn.detail.route), turn.detail);
  const asker = { sessionKey: ports.key, identity, counts: false };
  const part = { path, lines: LINES, trustedOnly: true, newest: true };
  const note = await ports.agent.memory.read({ ...part, asker });
  return note?.text.trim() ?? "";
}
