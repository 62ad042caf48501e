import type { IndexedSource, MemoryFile, NewSource, Part } from "#contract/memory-index.ts";
import { errorText } from "#kit/error-text.ts";
import { storeId } from "./candidates.ts";
import { sourceHash, sourceWithoutVectors, vectorsOf } from "./index-source.ts";
import type { KeeperPorts } from "./keeper.ts";
import { knownVectors } from "./known-vectors.ts";
import type { VectorSide } from "./search.ts";
import { sourceOf, type SourceClass } from "./source.ts";

/**
 * Brings the index of one path up to date. Reads the file first and publishes what was read, so that a
 * change in between is found again by its mark or its version.
 */
export interface IndexedPath {
  /** Why it is in the index without any passages. */
  readonly unfit?: string;
  readonly embedderFault?: string;
  readonly embedded: boolean;
}

const EMBED_MS = 30_000;
const MAX_CHARACTERS = 1_100_000;

export async function indexPath(
  ports: KeeperPorts,
  path: string,
  withVectors: boolean,
): Promise<IndexedPath> {
  const place = sourceOf(path);
  const file = place ? await ports.files.read(path) : null;
  if (file && place) return indexFile(ports, { file, place, withVectors });
  const gone = await ports.index.remove(path);
  if (gone) await forget(ports, gone.id);
  return { embedded: false };
}

async function indexFile(
  ports: KeeperPorts,
  { file, place, withVectors }: { file: MemoryFile; place: SourceClass; withVectors: boolean },
): Promise<IndexedPath> {
  const reason = file.unfit ?? unfitText(file);
  const unfit = reason === undefined ? {} : { unfit: reason };
  const readable = reason === undefined ? file : { ...file, text: "", lines: [] };
  const identity = file.conversation?.identity ?? null;
  const vectors = withVectors ? ports.vectors : null;
  const known = await ports.index.source(file.path);
  if (known?.hash === sourceHash(readable, identity) && hasItsVectors(ports, known, vectors)) {
    if (known.etag !== file.etag) await ports.index.touch(file.path, file.etag);
    return { embedded: false, ...unfit };
  }
  const plain = sourceWithoutVectors(readable, { ...place, identity });
  const { source, fault } = await embedded(ports, plain, { vectors, known });
  await publish(ports, source);
  const failure = fault === undefined ? {} : { embedderFault: fault };
  return { embedded: source.vectors !== null, ...unfit, ...failure };
}

/** While the embedder rests, what vectors there are have to do. */
function hasItsVectors(
  { vectors }: KeeperPorts,
  { model }: IndexedSource,
  usable: VectorSide | null,
): boolean {
  if (vectors && !usable) return true;
  return model === (vectors?.embedder.model ?? null);
}

async function embedded(
  { index }: KeeperPorts,
  source: NewSource,
  { vectors, known }: { readonly vectors: VectorSide | null; readonly known: IndexedSource | null },
): Promise<{ source: NewSource; fault?: string }> {
  if (!vectors) return { source };
  const { embedder } = vectors;
  const rows = await knownVectors(index, known, embedder);
  const made = await vectors.withDeadline(EMBED_MS, (signal) =>
    vectorsOf(source.passages, embedder, signal, rows),
  );
  if (!made.ok) return { source, fault: made.error };
  return { source: { ...source, vectors: made.value } };
}

/** The rows are the truth; a store that fails here makes up for it from them. */
async function publish(ports: KeeperPorts, source: NewSource): Promise<void> {
  const published = await ports.index.publish(source);
  if (!ports.vectors) return;
  try {
    for (const part of ["clean", "outside"] as const) {
      await publishPart(ports.vectors, { source, published, part });
    }
  } catch (error) {
    ports.report.warn("memory.vectors_behind", { path: source.path, error: errorText(error) });
  }
}

async function publishPart(
  { stores }: VectorSide,
  { source, published, part }: { source: NewSource; published: IndexedSource; part: Part },
): Promise<void> {
  const sourceId = storeId(part, published.id);
  const rows = source.vectors?.[part];
  if (!source.vectors || !rows || rows.positions.length === 0) {
    await stores[part].remove(sourceId);
    return;
  }
  const { model, dimensions } = source.vectors;
  const { generation } = published;
  await stores[part].publish({ sourceId, generation, model, dimensions, ...rows });
}

async function forget(ports: KeeperPorts, sourceId: number): Promise<void> {
  try {
    for (const part of ["clean", "outside"] as const) {
      await ports.vectors?.stores[part].remove(storeId(part, sourceId));
    }
  } catch (error) {
    ports.report.warn("memory.vectors_behind", { source: sourceId, error: errorText(error) });
  }
}

function unfitText({ text }: MemoryFile): string | undefined {
  if (text.includes("\0")) return "it is not text";
  return text.length > MAX_CHARACTERS ? "it is too large" : undefined;
}
