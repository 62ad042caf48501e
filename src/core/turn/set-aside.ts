import type { InboxItem } from "#contract/inbox.ts";
import type { OutcomeReason } from "#contract/outcome.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { endTurn } from "./finish.ts";
import { takeUp } from "./start.ts";

/**
 * Messages that are read but not answered: they become a turn that has ended as it began, so that
 * /again finds them, whole and with their files, and whoever watches them learns it. Inside a
 * transaction. Null: there were none.
 */
export function setAside(
  ports: SessionPorts,
  items: readonly InboxItem[],
  reason: OutcomeReason,
  text = "",
): string | null {
  if (items.length === 0) return null;
  const turn = takeUp(ports, items, "ingest");
  const status = text === "" ? "aborted" : "failed";
  endTurn(ports, turn, { status, text, reason });
  return turn.id;
}
