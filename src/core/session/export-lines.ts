import type { SessionPorts } from "#core/state/ports.ts";
import { exportHeader } from "./archive.ts";
import { partEntries } from "./put-away-parts.ts";
import { putAwaySoFar } from "./put-away.ts";

/**
 * The whole conversation as lines of JSON, over all its resets: first what was put away, then what is
 * stored here. Page by page, so that no history is ever in memory as a whole; what is put away while it
 * is read is read where it went.
 */
const PAGE = 500;

export async function* exportLines(ports: SessionPorts): AsyncGenerator<string> {
  const { parts } = putAwaySoFar(ports);
  const header = { ...exportHeader(ports), ...(parts > 0 ? { archivedParts: parts } : {}) };
  yield `${JSON.stringify(header)}\n`;
  let after = 0;
  for (;;) {
    const { seq: until } = putAwaySoFar(ports);
    if (after < until) {
      yield* archivedLines(ports, after, until);
      after = until;
      continue;
    }
    const entries = ports.store.transcript.page(after, PAGE);
    if (entries.length === 0) return;
    after = entries.at(-1)?.seq ?? after;
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  }
}

async function* archivedLines(
  ports: SessionPorts,
  after: number,
  until: number,
): AsyncGenerator<string> {
  let listedTo = after;
  for (;;) {
    const names = await ports.parts.list(listedTo);
    if (names.length === 0) return;
    for (const first of names) {
      if (first > until) return;
      listedTo = first;
      const entries = (await partEntries(ports, first)).filter(({ seq }) => seq <= until);
      yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    }
  }
}
