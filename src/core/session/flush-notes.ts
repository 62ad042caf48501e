import type { NoteEntry } from "#contract/memory.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import {
  factsOf,
  flushInstructions,
  flushText,
  type FlushLine,
} from "#core/memory/flush-prompt.ts";
import { memoryFilter } from "#core/state/memory-switch.ts";
import { modelSetting } from "#core/state/model-setting.ts";
import type { ResolvedModel, SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting, type Setting } from "#core/state/settings.ts";
import { costOf } from "#core/state/usage.ts";
import { frameId, frameSecret } from "#core/turn/frame.ts";
import { callModel, type ModelOutcome } from "#core/turn/model-call.ts";
import { wrapExternal } from "#kit/external-content.ts";
import { noUsage } from "#kit/model/ending.ts";
import { redact } from "#kit/redact.ts";
import { keepId } from "./kept-entries.ts";

/**
 * Notes what lasts in the parts of a conversation that have left the window (core/turn/flush.ts): one
 * bounded model call each, silent, and only ever added to the day's note. Where the part held anything
 * from outside, so may the notes: then they are untrusted. A model that fails is not asked again.
 */
type Flush = Setting<"flushes">[number];

const ENTRIES = 200;
const MAX_OUTPUT_TOKENS = 1_000;
const TIME_MS = 60_000;

export async function flushWindows(ports: SessionPorts): Promise<void> {
  const { settings } = ports.store;
  for (;;) {
    const flush = getSetting(settings, "flushes")?.[0];
    if (!flush) return;
    await flushOne(ports, flush);
    const left = (getSetting(settings, "flushes") ?? []).filter(({ until }) => until > flush.until);
    setSetting(settings, "flushes", left);
  }
}

async function flushOne(ports: SessionPorts, flush: Flush): Promise<void> {
  const isOn = memoryFilter(ports);
  const entries = ports.store.transcript
    .pageOf(flush.sessionId, flush.from, ENTRIES)
    .filter((entry) => entry.seq < flush.until && isOn(entry.seq));
  const last = entries.at(-1);
  const text = flushText(entries.flatMap((entry) => lineOf(ports, entry)));
  const { model } = modelSetting(ports);
  if (!last || text === "" || !model.ok || model.value.info.scripted) return;
  const operationId = keepId(ports, "flush", `${flush.from}-${flush.until}`);
  const facts = factsOf(await ask(ports, model.value, { text, id: operationId, flush }));
  if (facts.length === 0) return;
  const trust = entries.some((entry) => entry.trust === "untrusted") ? "untrusted" : "agent";
  const author = { trust, session: ports.key, at: last.at } as const;
  await note(
    ports,
    operationId,
    last.at,
    facts.map((fact) => ({ text: redact(fact), author })),
  );
}

function lineOf(ports: SessionPorts, entry: TranscriptEntry): FlushLine[] {
  if (entry.role !== "user" && entry.role !== "assistant") return [];
  const said = entry.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const text = redact(said).trim().slice(0, 4_000).toWellFormed();
  if (text === "") return [];
  if (entry.role === "assistant") return [{ speaker: "assistant", text }];
  if (entry.trust === "owner") return [{ speaker: "owner", text }];
  const framed = wrapExternal(text, frameId(frameSecret(ports), entry.seq));
  return [{ speaker: "outside", text: framed }];
}

interface Question {
  readonly text: string;
  readonly id: string;
  readonly flush: Flush;
}

/** The answer's text; "" if there is none in time. */
async function ask(ports: SessionPorts, model: ResolvedModel, question: Question): Promise<string> {
  const stop = new AbortController();
  const cancel = ports.timers.after(TIME_MS, () => stop.abort());
  const startedAt = ports.now();
  try {
    const outcome = await callModel({
      provider: model.provider,
      request: {
        model: model.info.id,
        system: [{ text: flushInstructions, cacheBoundary: false }],
        messages: [{ role: "user", content: [{ type: "text", text: question.text }] }],
        tools: [],
        maxOutputTokens: Math.min(MAX_OUTPUT_TOKENS, model.info.maxOutputTokens),
        thinking: "off",
        cacheKey: `flush-${question.flush.sessionId}`,
      },
      signal: stop.signal,
      idleMs: ports.config.limits.streamIdleSeconds * 1000,
      timers: ports.timers,
      now: ports.now,
      readMedia: async () => null,
      onEvent: () => {},
    });
    count(ports, model, { ...question, outcome, latencyMs: ports.now() - startedAt });
    if (outcome.type === "answer") {
      return outcome.message.content
        .map((part) => (part.type === "text" ? part.text : ""))
        .join("");
    }
    const { reason, message } = outcome.fault;
    ports.log.warn("memory.flush_failed", { session: ports.key, reason, message });
    return "";
  } finally {
    cancel();
  }
}

interface Asked extends Question {
  readonly outcome: ModelOutcome;
  readonly latencyMs: number;
}

/** It is paid for like any other call. */
function count(ports: SessionPorts, model: ResolvedModel, asked: Asked): void {
  const { usage } = asked.outcome;
  if (usage === null && asked.outcome.type === "fault") return;
  ports.store.usage.add({
    ...(usage ?? { ...noUsage, unreported: true }),
    id: asked.id,
    agentId: ports.agentId,
    sessionKey: ports.key,
    sessionId: asked.flush.sessionId,
    turnId: asked.id,
    provider: model.provider.id,
    model: model.info.id,
    latencyMs: asked.latencyMs,
    cost: usage && costOf(model, usage),
    at: ports.now(),
  });
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
