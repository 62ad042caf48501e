import type { DreamRecord } from "#contract/dreaming.ts";
import { isWithin } from "./days.ts";
import { parseMemoryFile } from "./memory-file.ts";
import type { NightState } from "./night-state.ts";
import { statementsOf } from "./taken-out.ts";

/** What a run leaves for the next one. Bounded: the oldest goes first. */
const signalDays = 30;
const maxSignals = 500;
const maxSettled = 2000;

export function keptRecord(state: NightState): DreamRecord {
  const { record, signals, today } = state;
  const others = record.signals.filter(
    ({ day, phase, source }) =>
      isWithin(day, today, signalDays) &&
      !signals.some(
        (fresh) => fresh.day === day && fresh.phase === phase && fresh.source === source,
      ),
  );
  return {
    lastAt: state.startedAt,
    seen: state.seen,
    settled: settledSources(state),
    signals: [...others, ...signals].slice(-maxSignals),
    pending: state.more,
    stated: statementsOf(state.plan?.lines ?? state.file.lines),
    takenOut: record.takenOut,
  };
}

/** Whatever entries are or were from, and what lost against something newer. */
function settledSources({ record, file, plan, outdated }: NightState): string[] {
  const entries = [file.lines, plan?.lines ?? []].flatMap(
    (lines) => parseMemoryFile(lines).entries,
  );
  const sources = new Set([
    ...record.settled,
    ...entries.flatMap(({ from }) => from),
    ...(plan?.changes ?? []).flatMap((change) => change.sources),
    ...outdated,
  ]);
  return [...sources].slice(-maxSettled);
}
