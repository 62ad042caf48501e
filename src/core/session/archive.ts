import { describeError } from "#kit/redact.ts";
import { inReach } from "#kit/in-reach.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";

/**
 * A conversation as JSONL: first line a header, then one entry a line. The same form goes to R2 when
 * a context ends or a part of the transcript is put away, and to the owner who asks for it.
 */
const PAGE = 500;

export interface ExportHeader {
  readonly type: "pagurus.session";
  readonly version: 1;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly exportedAt: string;
}

export function exportHeader(ports: SessionPorts): ExportHeader {
  return {
    type: "pagurus.session",
    version: 1,
    sessionKey: ports.key,
    agentId: ports.agentId,
    exportedAt: new Date(ports.now()).toISOString(),
  };
}

/** When ended contexts are to be written to R2; null = there are none. */
export function archiveAt({ now, store: { settings } }: SessionPorts): number | null {
  const waiting = getSetting(settings, "toArchive") ?? [];
  if (waiting.length === 0) return null;
  return inReach(getSetting(settings, "archiveRetryAt") ?? 0, now(), LONGEST_RETRY_MS);
}

const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 6 * 3_600_000;

/** Writes what is due. What fails is tried again, later each time. Never rejects. */
export async function archiveDue(ports: SessionPorts): Promise<void> {
  const { settings } = ports.store;
  if ((archiveAt(ports) ?? Infinity) > ports.now()) return;
  ports.live.archiving += 1;
  try {
    await archiveEnded(ports);
    if (getSetting(settings, "archiveFailures")) setFailures(ports, 0, 0);
  } catch (error) {
    const failures = (getSetting(settings, "archiveFailures") ?? 0) + 1;
    const fields = { session: ports.key, failures, error: describeError(error) };
    ports.log.warn("session.not_archived", fields);
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 4 ** (failures - 1));
    setFailures(ports, failures, ports.now() + wait);
  } finally {
    ports.live.archiving -= 1;
  }
}

function setFailures({ store: { settings } }: SessionPorts, failures: number, at: number): void {
  setSetting(settings, "archiveFailures", failures);
  setSetting(settings, "archiveRetryAt", at);
}

/** Writes ended contexts to R2 as JSONL, one object a page, under names that repeat safely. */
async function archiveEnded(ports: SessionPorts): Promise<void> {
  const { settings } = ports.store;
  for (;;) {
    const waiting = getSetting(settings, "toArchive") ?? [];
    const sessionId = waiting[0];
    if (sessionId === undefined) return;
    await archiveOne(ports, sessionId);
    const left = (getSetting(settings, "toArchive") ?? []).filter((each) => each !== sessionId);
    setSetting(settings, "toArchive", left);
  }
}

async function archiveOne(ports: SessionPorts, sessionId: string): Promise<void> {
  const folder = `agents/${ports.agentId}/sessions/${encodeURIComponent(ports.key)}/${sessionId}`;
  let from = 0;
  for (let part = 1; ; part++) {
    const entries = ports.store.transcript.pageOf(sessionId, from, PAGE);
    if (entries.length === 0) return;
    const header = { ...exportHeader(ports), sessionId, part };
    const lines = [header, ...entries].map((line) => JSON.stringify(line));
    await ports.media.put(`${folder}/${String(part).padStart(5, "0")}.jsonl`, {
      bytes: new TextEncoder().encode(`${lines.join("\n")}\n`),
      mimeType: "application/jsonl",
      name: `${sessionId}-${part}.jsonl`,
    });
    from = (entries.at(-1)?.seq ?? from) + 1;
  }
}
