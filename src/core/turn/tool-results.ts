import type { ToolResult } from "#contract/model.ts";
import type { JournalRow, Turn } from "#contract/turn.ts";
import { shareRoom } from "#core/agent/tool-result.ts";
import { estimateMessageTokens } from "#kit/tokens.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { appendEntry } from "./ingest.ts";

/** Characters of all results of one batch: at most six bytes each in JSON, well within one row. */
const BATCH_ROOM = 200_000;

/** The results of one batch as one entry, as trusted as the least of them; inside a transaction. */
export function appendResults(
  ports: SessionPorts,
  turn: Turn,
  rows: readonly JournalRow[],
  whole: readonly ToolResult[],
): void {
  const texts = shareRoom(whole, BATCH_ROOM);
  const results = whole.map((result, index) => ({ ...result, text: texts[index] ?? "" }));
  appendEntry(ports, {
    sessionId: turn.sessionId,
    turnId: turn.id,
    at: ports.now(),
    role: "tool",
    trust: rows.some((row) => row.output?.untrusted) ? "untrusted" : "agent",
    tokens: estimateMessageTokens({ role: "tool", results }),
    results,
  });
}
