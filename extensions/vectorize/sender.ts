import type { VectorizeBinding, VectorizeEntry } from "#contract/ports.ts";
import type { SourceVectors, VectorShape, VectorStorePorts } from "#contract/vector-store.ts";
import { describeError } from "#kit/redact.ts";
import { isWellFormed, rowValues } from "#kit/vector/packed.ts";
import type { Ledger } from "./ledger.ts";
import { vectorId } from "./vector-id.ts";

/**
 * Brings the index up to date: what was announced and not sent, and what is to be deleted. Whatever
 * fails stays noted and is tried again with the next change; until then it is scored exactly.
 */
export interface SenderSetup {
  readonly index: VectorizeBinding;
  readonly shape: VectorShape;
  readonly ledger: Ledger;
  readonly namespace: string;
  readonly ports: Pick<VectorStorePorts, "packed" | "log" | "now">;
}

const UPSERT = 1_000;
const DELETE = 100;
/** Of the backlog with one change: the change is waited for. */
const BACKLOG_SOURCES = 50;
const BACKLOG_DELETES = 20;

/** Never rejects. */
export async function bringUp(
  setup: SenderSetup,
  published: readonly SourceVectors[],
): Promise<void> {
  const { log } = setup.ports;
  const steps = [
    () => deleteStale(setup),
    () => send(setup, published),
    async () => send(setup, await backlog(setup)),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.warn("vectorize.behind", { error: describeError(error) });
    }
  }
}

async function backlog({ ledger, ports, shape }: SenderSetup): Promise<SourceVectors[]> {
  const wanted = ledger.unsent().slice(0, BACKLOG_SOURCES);
  if (wanted.length === 0) return [];
  const sources = await ports.packed.of(
    shape.model,
    wanted.map(({ sourceId }) => sourceId),
  );
  return sources.filter(
    (source) => isWellFormed(source, shape) && ledger.isPresent(source) && ledger.announce(source),
  );
}

async function send(setup: SenderSetup, sources: readonly SourceVectors[]): Promise<void> {
  const { index, ledger, ports, namespace } = setup;
  let batch: VectorizeEntry[] = [];
  let finished: SourceVectors[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const [entries, done] = [batch, finished];
    [batch, finished] = [[], []];
    const { mutationId } = await index.upsert(entries);
    const at = ledger.changed(mutationId, ports.now());
    for (const source of done) ledger.sent(source, mutationId, at);
  };
  // What was superseded while it waited for its turn may be deleted already.
  for (const source of sources.filter((each) => ledger.isCurrent(each))) {
    const { sourceId, generation } = source;
    for (const [row, position] of source.positions.entries()) {
      const id = vectorId({ sourceId, generation, position });
      batch.push({ id, namespace, values: rowValues(source, row) });
      if (row === source.positions.length - 1) finished.push(source);
      if (batch.length === UPSERT) await flush();
    }
  }
  await flush();
}

async function deleteStale({ index, ledger, ports }: SenderSetup): Promise<void> {
  let calls = 0;
  for (const { sourceId, part } of ledger.stale()) {
    const { generation, size } = part;
    calls += Math.ceil(size / DELETE);
    if (calls > BACKLOG_DELETES && calls > Math.ceil(size / DELETE)) return;
    for (let start = 0; start < size; start += DELETE) {
      const length = Math.min(DELETE, size - start);
      const ids = Array.from({ length }, (_none, offset) =>
        vectorId({ sourceId, generation, position: start + offset }),
      );
      const { mutationId } = await index.deleteByIds(ids);
      ledger.changed(mutationId, ports.now());
    }
    ledger.deleted(sourceId, part);
  }
}
