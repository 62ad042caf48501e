import type { TranscriptEntry } from "#contract/transcript.ts";
import { memoryFilter } from "#core/state/memory-switch.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { isOwnTurn } from "#core/turn/own-turn.ts";

const PAGE = 100;

/** A page of the transcript, with what of it may be kept. */
export interface KeptPage {
  readonly entries: readonly TranscriptEntry[];
  /** The last entry looked at. */
  readonly lastSeq: number;
}

/** What has been said since then, over all resets, page by page. */
export function* keptPages(ports: SessionPorts, afterSeq: number): Generator<KeptPage> {
  const isOn = memoryFilter(ports);
  const turns = new Map<string, boolean>();
  const isKept = ({ turnId }: TranscriptEntry) => {
    if (turnId === null) return false;
    const known = turns.get(turnId) ?? ofOwner(ports, turnId);
    turns.set(turnId, known);
    return known;
  };
  let after = afterSeq;
  for (;;) {
    const page = ports.store.transcript.page(after, PAGE);
    const last = page.at(-1);
    if (!last) return;
    after = last.seq;
    const entries = page.filter((entry) => isOn(entry.seq) && isKept(entry));
    yield { entries, lastSeq: after };
  }
}

/** Of a turn that a message of the owner's own began. */
export function ofOwner(ports: SessionPorts, turnId: string): boolean {
  const turn = ports.store.turns.get(turnId);
  return turn !== null && isOwnTurn(turn);
}

const LONGEST_KEY = 120;

/** The same for the same work of the same conversation, and short enough for an operation's id. */
export function keepId(ports: SessionPorts, kind: string, what: string | number): string {
  const long = encodeURIComponent(ports.key).length > LONGEST_KEY;
  return `${kind}:${long ? sha256Hex(ports.key).slice(0, 32) : ports.key}:${what}`;
}
