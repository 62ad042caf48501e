import type { NoteEntry } from "#contract/memory.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import {
  factsOf,
  flushInstructions,
  flushPart,
  type FlushLine,
} from "#core/memory/flush-prompt.ts";
import { memoryFilter } from "#core/state/memory-switch.ts";
import { modelSetting } from "#core/state/model-setting.ts";
import type { ResolvedModel, SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting, type Setting } from "#core/state/settings.ts";
import { frameId, frameSecret } from "#core/turn/frame.ts";
import { answerText, sideQuestion, sideUsage } from "#core/turn/side-call.ts";
import { wrapExternal } from "#kit/external-content.ts";
import { keepable } from "#kit/keepable.ts";
import { keepId } from "./kept-entries.ts";

/**
 * Notes what lasts in the parts of a conversation that have left the window (core/turn/flush.ts): one bounded
 * model call each, silent, and only ever added to the day's note. Where the window held anything from outside
 * when the part left it, so may the notes, and it may be what pushed it out: then they are untrusted. A model
 * that fails is asked again later, a few times; a part that is too long for one question is asked about in
 * several.
 */
type Flush = Setting<"flushes">[number];

const ENTRIES = 200;
const MAX_FAILURES = 4;
const MAX_OUTPUT_TOKENS = 1_000;
const TIME_MS = 60_000;

export async function flushWindows(ports: SessionPorts): Promise<void> {
  const { settings } = ports.store;
  for (;;) {
    const flush = getSetting(settings, "flushes")?.[0];
    if (!flush) return;
    const done = await flushPartOf(ports, flush);
    goOn(ports, flush, done ?? givenUp(ports, flush));
  }
}

/** It may have grown meanwhile, at its end. */
function goOn({ store: { settings } }: SessionPorts, flush: Flush, from: number): void {
  const [first, ...others] = getSetting(settings, "flushes") ?? [];
  if (first?.sessionId !== flush.sessionId || first.from !== flush.from) return;
  const { sessionId, until, tainted } = first;
  const rest = { sessionId, from, until, tainted };
  setSetting(settings, "flushes", from < until ? [rest, ...others] : others);
}

/** Where to go on without this part; throws while it is worth another try. */
function givenUp({ store: { settings }, key, log }: SessionPorts, flush: Flush): number {
  const failures = (flush.failures ?? 0) + 1;
  if (failures < MAX_FAILURES) {
    const owed = getSetting(settings, "flushes") ?? [];
    const counted = owed.map((each) => (each.from === flush.from ? { ...each, failures } : each));
    setSetting(settings, "flushes", counted);
    throw new Error("the model did not say what lasts in a part of the conversation");
  }
  log.warn("memory.flush_given_up", { session: key, from: flush.from, until: flush.until });
  return flush.until;
}

interface Part {
  /** "" = there is nothing to ask about. */
  readonly text: string;
  readonly entries: readonly TranscriptEntry[];
  /** The first entry after it. */
  readonly end: number;
}

/** As much of what is owed as one page and one question hold. */
function nextPart(ports: SessionPorts, flush: Flush): Part {
  const isOn = memoryFilter(ports);
  const page = ports.store.transcript.pageOf(flush.sessionId, flush.from, ENTRIES);
  const entries = page.filter((entry) => entry.seq < flush.until && isOn(entry.seq));
  const pageEnd = page.length < ENTRIES ? flush.until : (page.at(-1)?.seq ?? flush.until) + 1;
  const lines = entries.flatMap((entry) => lineOf(ports, entry));
  const part = flushPart(lines);
  const isWhole = part === null || part.lastSeq === lines.at(-1)?.seq;
  const end = isWhole ? pageEnd : part.lastSeq + 1;
  return { text: part?.text ?? "", entries: entries.filter(({ seq }) => seq < end), end };
}

/** The first entry that is not looked at yet; null = the model failed. */
async function flushPartOf(ports: SessionPorts, flush: Flush): Promise<number | null> {
  const { text, entries, end } = nextPart(ports, flush);
  const { model } = modelSetting(ports);
  if (text === "" || !model.ok || model.value.info.scripted) return end;
  const { sessionId, from, failures = 0 } = flush;
  const operationId = keepId(ports, "flush", `${from}-${end}`);
  const id = `${operationId}:${failures}`;
  const answer = await ask(ports, model.value, { text, id, sessionId });
  if (answer === null) return null;
  const at = entries.at(-1)?.at ?? ports.now();
  const isOutside = flush.tainted || entries.some((entry) => entry.trust === "untrusted");
  const trust = isOutside ? "untrusted" : "agent";
  const author = { trust, session: ports.key, at } as const;
  const facts = factsOf(answer).map((fact) => ({ text: keepable(fact), author }));
  if (facts.length > 0) await note(ports, operationId, at, facts);
  return end;
}

function lineOf(ports: SessionPorts, entry: TranscriptEntry): FlushLine[] {
  if (entry.role !== "user" && entry.role !== "assistant") return [];
  const said = entry.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const text = keepable(said).trim().slice(0, 4_000).toWellFormed();
  if (text === "") return [];
  const { seq } = entry;
  if (entry.role === "assistant") return [{ seq, speaker: "assistant", text }];
  if (entry.trust === "owner") return [{ seq, speaker: "owner", text }];
  const framed = wrapExternal(text, frameId(frameSecret(ports), entry.seq));
  return [{ seq, speaker: "outside", text: framed }];
}

interface Question {
  readonly text: string;
  readonly id: string;
  readonly sessionId: string;
}

/** The answer's text; null if there is none in time. */
async function ask(
  ports: SessionPorts,
  model: ResolvedModel,
  { text, id, sessionId }: Question,
): Promise<string | null> {
  const startedAt = ports.now();
  const outcome = await sideQuestion(ports, model, {
    system: flushInstructions,
    text,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    cacheKey: `flush-${sessionId}`,
    ms: TIME_MS,
  });
  const { agentId, key: sessionKey } = ports;
  const names = { id, agentId, sessionKey, sessionId, turnId: id };
  const row = sideUsage(model, outcome, { ...names, startedAt, endedAt: ports.now() });
  if (row) ports.store.usage.add(row);
  if (outcome.type === "fault") {
    const { reason, message } = outcome.fault;
    ports.log.warn("memory.flush_failed", { session: sessionKey, reason, message });
  }
  return answerText(outcome);
}

async function note(
  ports: SessionPorts,
  operationId: string,
  at: number,
  entries: readonly NoteEntry[],
): Promise<void> {
  const receipt = await ports.agent.memory.note({ operationId, at, entries });
  if (!receipt.ok) ports.log.warn("memory.refused", { session: ports.key, reason: receipt.reason });
}
