import type { ToolResult } from "#contract/model.ts";
import type { JournalRow, Turn } from "#contract/turn.ts";
import { estimateMessageTokens } from "#kit/tokens.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { appendEntry } from "./ingest.ts";

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
    tokens: estimateMessageTokens({ role: "tool", results: [...results] }),
    results: [...results],
  });
}
