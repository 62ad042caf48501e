import type { ModelInfo, SystemSegment, ToolSchema } from "#contract/model.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import type { Turn } from "#contract/turn.ts";
import { estimateTokens } from "#kit/tokens.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { oweFlush } from "./flush.ts";
import { softTrim } from "./soft-trim.ts";
import { trimHistory } from "./trim-history.ts";

/**
 * How much of a conversation goes into a request. History grows until it no longer fits, then the
 * oldest turns are left out down to half the budget at once: so the front of the prompt stays the
 * same for many messages (and cached), and the cost of a message does not grow with the history. The
 * cut lies between turns, never inside one.
 */
export interface RequestFrame {
  readonly system: readonly SystemSegment[];
  readonly schemas: readonly ToolSchema[];
  readonly info: ModelInfo;
  readonly maxOutputTokens: number;
}

/** Estimates are rough: budgets count them with this margin. */
const MARGIN = 1.2;
const RESERVE = 16_384;

/** Entries of the present session that fit the budget, the running turn always among them. */
export function makeRoom(
  ports: SessionPorts,
  turn: Turn,
  frame: RequestFrame,
): readonly TranscriptEntry[] {
  const budget = historyBudget(ports.config.session.historyTokens, frame);
  const { settings, transcript } = ports.store;
  if ((getSetting(settings, "historyTokens") ?? 0) > budget) cutTo(ports, turn, budget / 2);
  const entries = transcript.since(turn.sessionId, getSetting(settings, "historyFrom") ?? 0);
  return softTrim(entries, budget);
}

/** Leaves out the older half, after a provider said it was too much. False: nothing can go. */
export function halveHistory(ports: SessionPorts, turn: Turn): boolean {
  const tokens = getSetting(ports.store.settings, "historyTokens") ?? 0;
  return cutTo(ports, turn, tokens / 2);
}

/** Tokens for history: the configured share, less if the model's window is small. */
export function historyBudget(configured: number, frame: RequestFrame): number {
  const { contextWindow } = frame.info;
  const reserve = Math.max(RESERVE, frame.maxOutputTokens);
  const smallest = Math.min(8_000, contextWindow / 2);
  const prompt = contextWindow - Math.min(reserve, contextWindow - smallest);
  const fixed =
    frame.system.reduce((sum, segment) => sum + estimateTokens(segment.text), 0) +
    estimateTokens(JSON.stringify(frame.schemas));
  return Math.max(0, Math.min(configured, prompt / MARGIN - fixed));
}

function cutTo(ports: SessionPorts, turn: Turn, target: number): boolean {
  const { settings, transcript } = ports.store;
  const from = getSetting(settings, "historyFrom") ?? 0;
  // What a turn tries again belongs to it: the question must not be cut off its answer.
  const chain = new Set(turn.detail.retries ?? []);
  const sizes = transcript
    .sizes(turn.sessionId, from)
    .map((size) => (chain.has(size.turnId ?? "") ? { ...size, turnId: turn.id } : size));
  const trimmed = trimHistory(sizes, target);
  setSetting(settings, "historyTokens", trimmed.tokens);
  const turns = trimmed.leftOutTurns;
  if (trimmed.fromSeq === null || trimmed.fromSeq === sizes[0]?.seq) return false;
  oweFlush(ports, turn, { from: sizes[0]?.seq ?? from, until: trimmed.fromSeq });
  setSetting(settings, "historyFrom", trimmed.fromSeq);
  setSetting(settings, "leftOut", (getSetting(settings, "leftOut") ?? 0) + turns);
  ports.log.info("history.left_out", { session: ports.key, turns });
  return true;
}
