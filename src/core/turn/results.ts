import type { ToolResult } from "#contract/model.ts";
import type { JournalRow, Turn } from "#contract/turn.ts";
import { estimateTokens } from "#kit/tokens.ts";
import type { SessionPorts } from "#core/session/ports.ts";
import { appendEntry } from "./ingest.ts";

/** Tokens a result costs beside its text. */
const FRAME_TOKENS = 10;

/** The results of one batch as one entry, as trusted as the least of them; inside a transaction. */
export function appendResults(
  ports: SessionPorts,
  turn: Turn,
  rows: readonly JournalRow[],
  results: readonly ToolResult[],
): void {
  appendEntry(ports, {
    sessionId: turn.sessionId,
    turnId: turn.id,
    at: ports.now(),
    role: "tool",
    trust: rows.some((row) => row.output?.untrusted) ? "untrusted" : "agent",
    tokens: results.reduce((sum, { text }) => sum + estimateTokens(text) + FRAME_TOKENS, 0),
    results: [...results],
  });
}
