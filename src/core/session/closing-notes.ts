import type { NoteEntry } from "#contract/memory.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import { memoryFilter } from "#core/state/memory-switch.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { ownWordsIn } from "#core/turn/own-words.ts";
import { keepable } from "#kit/keepable.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import { keepId, ofOwner } from "./kept-entries.ts";

/** Entries that are looked at for the answer, from the question on. */
const EXCHANGE = 100;
const ANSWER_LENGTH = 400;

/**
 * Notes of each ended context the last thing an owner said in it and what it was answered, so that the next
 * day's search finds where it stopped. What others wrote after it stands in nothing's place here, and what a
 * model says by rules of its own is no knowledge.
 */
export async function noteClosings(ports: SessionPorts): Promise<void> {
  const { settings } = ports.store;
  for (;;) {
    const sessionId = getSetting(settings, "closings")?.[0];
    if (sessionId === undefined) return;
    await noteClosing(ports, sessionId);
    const left = (getSetting(settings, "closings") ?? []).filter((each) => each !== sessionId);
    setSetting(settings, "closings", left);
  }
}

async function noteClosing(ports: SessionPorts, sessionId: string): Promise<void> {
  const entries = lastExchange(ports, sessionId);
  const [asked] = entries;
  if (!asked) return;
  const words = ownWordsIn(ports.key, asked).map((one) => ({ ...one, text: keepable(one.text) }));
  const origin = words[0]?.origin;
  if (!origin) return;
  const { at } = asked;
  await add(ports, keepId(ports, "closing", `${sessionId}:asked`), at, {
    text: "closing:",
    author: origin,
    words,
  });
  const answered = entries.findLast((entry) => textOf(entry) !== "");
  const answer = answered ? textOf(answered) : "";
  if (!answered || answer === "" || isScripted(ports, answered)) return;
  const message = `${sessionId}:${answered.seq}`;
  await add(ports, keepId(ports, "closing", `${sessionId}:answered`), answered.at, {
    text: `I answered: ${truncateText(keepable(answer), ANSWER_LENGTH)}`,
    author: { trust: answered.trust, session: ports.key, message, at: answered.at },
  });
}

/** From the owner's last own words up to whatever somebody wrote next. */
function lastExchange(ports: SessionPorts, sessionId: string): TranscriptEntry[] {
  const { settings, transcript } = ports.store;
  const last = getSetting(settings, "lastWords")?.find((each) => each.sessionId === sessionId);
  if (!last) return [];
  const isOn = memoryFilter(ports);
  const entries = transcript
    .pageOf(sessionId, last.seq, EXCHANGE)
    .filter((entry) => isOn(entry.seq) && isOfOwner(ports, entry));
  const next = entries.findIndex(
    ({ role, turnId }) => role === "user" && turnId !== entries[0]?.turnId,
  );
  return next < 0 ? entries : entries.slice(0, next);
}

function isOfOwner(ports: SessionPorts, { turnId }: TranscriptEntry): boolean {
  return turnId !== null && ofOwner(ports, turnId);
}

function textOf(entry: TranscriptEntry): string {
  if (entry.role !== "assistant") return "";
  return entry.content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
    .trim();
}

function isScripted({ store, models }: SessionPorts, { turnId }: TranscriptEntry): boolean {
  const turn = turnId === null ? null : store.turns.get(turnId);
  const model = turn && models.resolve(turn.detail.model);
  return model?.ok === true && model.value.info.scripted === true;
}

async function add(
  ports: SessionPorts,
  operationId: string,
  at: number,
  entry: NoteEntry,
): Promise<void> {
  const receipt = await ports.agent.memory.note({ operationId, at, entries: [entry] });
  if (!receipt.ok) ports.log.warn("memory.refused", { session: ports.key, reason: receipt.reason });
}
