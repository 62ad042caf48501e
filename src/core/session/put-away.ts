import type { TranscriptEntry } from "#contract/transcript.ts";
import { describeError } from "#kit/redact.ts";
import { inReach } from "#kit/in-reach.ts";
import { isPinnedHere } from "#core/state/pinned.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting, type Setting } from "#core/state/settings.ts";
import { exportHeader } from "./archive.ts";
import { whatLeaves, type LeavingRules } from "./what-leaves.ts";

/**
 * The oldest part of a transcript moves to R2 when it is old or too large: first it is put there, under the
 * number of its first entry, then it is deleted here. Killed in between, the same is done again under the
 * same name. One part a step, and only while nothing is open and nothing owed to the memory.
 */
const PAGE = 500;
const DAY_MS = 24 * 3_600_000;
/** Once nothing more is to go, age is asked again a week later: a part a week, not one a day. */
const AGE_REST_MS = 7 * DAY_MS;
/** The same where there is too much that must stay. */
const SIZE_REST_MS = 3_600_000;
const RETRY_MS = 3_600_000;
/** Parts that are known without a list: most reading ends with them. */
const AT_HAND = 3;

const nothing: Setting<"putAway"> = { seq: 0, parts: 0, latest: [], restedAt: 0 };

/** What has left this conversation's storage so far. */
export function putAwaySoFar({ store }: Pick<SessionPorts, "store">): Setting<"putAway"> {
  return getSetting(store.settings, "putAway") ?? nothing;
}

/** Called when nothing is open, as `isIdle` says, which is asked again after each wait. Never rejects. */
export async function putAwayOld(ports: SessionPorts, isIdle: () => boolean): Promise<void> {
  if (!isIdle() || ports.live.puttingAway || isPinnedHere(ports) !== null) return;
  try {
    if (!hasMeasured(ports)) return ports.store.setAlarm(ports.now());
    const at = putAwayAt(ports);
    if (at === null) return;
    if (at <= ports.now()) {
      // It is the memory's first; the alarm comes back when that is done.
      if (oweTranscript(ports)) return ports.store.setAlarm(ports.now());
      await putAwayPart(ports, false);
    }
    const next = putAwayAt(ports);
    if (next !== null && isIdle()) ports.store.setAlarm(Math.max(next, ports.now()));
  } catch (error) {
    ports.log.warn("session.not_put_away", { session: ports.key, error: describeError(error) });
    if (isIdle()) ports.store.setAlarm(ports.now() + RETRY_MS);
  }
}

/** When a part is to go; null = what there is may stay. */
function putAwayAt(ports: SessionPorts): number | null {
  const { now, store } = ports;
  const oldest = store.transcript.oldest();
  if (!oldest || whatLeaves([oldest], rulesOf(ports, true)).length === 0) return null;
  const { restedAt } = putAwaySoFar(ports);
  const rested = (ms: number) => inReach(restedAt + ms, now(), ms);
  const keptMs = ports.config.session.retention.days * DAY_MS;
  const byAge = Math.max(oldest.at + keptMs, rested(AGE_REST_MS));
  return isTooLarge(ports) ? Math.min(byAge, rested(SIZE_REST_MS)) : byAge;
}

/** Something the memory does not have yet would go: it is to be handed over before. */
export function oweTranscript({ config, store: { settings } }: SessionPorts): boolean {
  const lines = getSetting(settings, "memoryBacklog")?.lines ?? 0;
  if (!config.memory.enabled || lines === 0) return false;
  setSetting(settings, "handOverDue", true);
  return true;
}

/**
 * Moves the oldest part; all of it may go but for the window, or what is old or too much. False: nothing
 * more is to go.
 */
export async function putAwayPart(ports: SessionPorts, any: boolean): Promise<boolean> {
  const { live, store } = ports;
  const page = store.transcript.page(0, PAGE);
  const leaving = whatLeaves(page, rulesOf(ports, any || isTooLarge(ports)));
  const first = leaving[0];
  if (!first) {
    setSetting(store.settings, "putAway", { ...putAwaySoFar(ports), restedAt: ports.now() });
    return false;
  }
  live.puttingAway = true;
  try {
    await ports.parts.put(first.seq, partText(ports, leaving));
    store.transaction(() => letGo(ports, leaving, leaving.length < page.length));
  } finally {
    live.puttingAway = false;
  }
  return true;
}

function rulesOf({ config, now, store }: SessionPorts, any: boolean): LeavingRules {
  return {
    sessionId: getSetting(store.settings, "sessionId"),
    historyFrom: getSetting(store.settings, "historyFrom") ?? 0,
    before: now() - config.session.retention.days * DAY_MS,
    any,
  };
}

function partText(ports: SessionPorts, entries: readonly TranscriptEntry[]): string {
  const [from, until] = [entries[0]?.seq, entries.at(-1)?.seq];
  const lines = [{ ...exportHeader(ports), from, until }, ...entries];
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

function letGo(ports: SessionPorts, entries: readonly TranscriptEntry[], isLast: boolean): void {
  const { settings, transcript } = ports.store;
  const known = putAwaySoFar(ports);
  const seqs = entries.map(({ seq }) => seq);
  const measured = getSetting(settings, "measured") ?? unmeasured;
  const bytes = transcript.remove(seqs.filter((seq) => seq <= measured.seq));
  transcript.remove(seqs.filter((seq) => seq > measured.seq));
  setSetting(settings, "measured", { ...measured, bytes: Math.max(0, measured.bytes - bytes) });
  setSetting(settings, "putAway", {
    seq: seqs.at(-1) ?? known.seq,
    parts: known.parts + 1,
    latest: [...known.latest, ...seqs.slice(0, 1)].slice(-AT_HAND),
    restedAt: isLast ? ports.now() : known.restedAt,
  });
}

function isTooLarge({ config, store: { settings } }: SessionPorts): boolean {
  const { bytes } = getSetting(settings, "measured") ?? unmeasured;
  return bytes > config.session.retention.megabytes * 1_000_000;
}

const unmeasured: Setting<"measured"> = { seq: 0, bytes: 0 };

/** Measured is what is new, now and then, so that no message waits for a sum over all of it. */
const MEASURED_ENTRIES = 40;
const MEASURED_PAGES = 10;

/** False: there is more to measure. */
function hasMeasured({ store: { settings, transcript } }: SessionPorts): boolean {
  let { seq, bytes } = getSetting(settings, "measured") ?? unmeasured;
  if (transcript.latestSeq() - seq < MEASURED_ENTRIES) return true;
  let isAll = false;
  for (let page = 0; page < MEASURED_PAGES && !isAll; page += 1) {
    const sizes = transcript.bytesAfter(seq, PAGE);
    isAll = sizes.length < PAGE;
    seq = sizes.at(-1)?.seq ?? seq;
    bytes += sizes.reduce((sum, size) => sum + size.bytes, 0);
  }
  setSetting(settings, "measured", { seq, bytes });
  return isAll;
}
