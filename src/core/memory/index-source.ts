import type { Embedder } from "#contract/embedder.ts";
import {
  parts,
  type NewPassage,
  type NewSource,
  type NewVectors,
  type PackedRows,
  type Part,
} from "#contract/memory-index.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { packRows } from "#kit/vector/packed.ts";
import { passagesOf } from "./passage.ts";
import { noVectorsKnown, type KnownVectors } from "./known-vectors.ts";
import type { SourceClass } from "./source.ts";
import { spoken } from "./split-line.ts";

/**
 * One source made ready for the index: passages, and vectors if there is an embedder. Each part is
 * embedded in calls of its own, so that no outside text has a part in what becomes of clean ones.
 */

/** Grows when passages are made differently: every source is indexed anew then. */
const FORMAT = 2;

/** Of everything the passages depend on: two files with the same hash have the same passages. */
export function sourceHash(file: ClassifiedFile, identity: string | null): string {
  const classes = file.lines.map(({ origin }) => origin.trust).join(",");
  return sha256Hex(JSON.stringify([FORMAT, identity, classes, file.text]));
}

export interface SourceFacts extends SourceClass {
  readonly identity: string | null;
}

export function sourceWithoutVectors(file: ClassifiedFile, facts: SourceFacts): NewSource {
  const { kind, date, identity } = facts;
  return {
    path: file.path,
    kind,
    date,
    identity,
    hash: sourceHash(file, identity),
    etag: file.etag,
    passages: passagesOf(file, date).map((passage) => owned(passage, identity)),
    vectors: null,
  };
}

/** A passage that changes hands is another one: whose it is stands in the index beside its words. */
function owned(passage: NewPassage, identity: string | null): NewPassage {
  if (identity === null) return passage;
  return { ...passage, hash: sha256Hex(`${identity}\n${passage.hash}`).slice(0, 32) };
}

export async function vectorsOf(
  passages: readonly NewPassage[],
  embedder: Embedder,
  signal: AbortSignal,
  known: KnownVectors = noVectorsKnown,
): Promise<Result<NewVectors, string>> {
  const packed: Partial<Record<Part, PackedRows>> = {};
  for (const part of parts) {
    const own = passages.filter((passage) => passage.part === part);
    const vectors = await embedNew(own, embedder, { signal, known: known[part] });
    if (!vectors.ok) return vectors;
    packed[part] = pack(mixNeighbours(vectors.value, embedder), embedder.dimensions);
  }
  const { model, dimensions } = embedder;
  const empty = { positions: [], data: new Int8Array() };
  const { clean = empty, outside = empty } = packed;
  return ok({ model, dimensions, clean, outside });
}

type Vectors = (Float32Array | Int8Array | null)[];

/** One vector for each passage; only texts without a known one are sent, each of them once. */
async function embedNew(
  passages: readonly NewPassage[],
  embedder: Embedder,
  { signal, known }: { readonly signal: AbortSignal; readonly known: KnownVectors[Part] },
): Promise<Result<Vectors, string>> {
  const texts = passages.map(({ text }) => spoken(text));
  const unknown = [...new Set(texts.filter((text) => !known.has(text)))];
  const made = new Map<string, Float32Array | null>();
  for (let at = 0; at < unknown.length; at += embedder.batchSize) {
    const batch = unknown.slice(at, at + embedder.batchSize);
    const embedded = await embedder.embed(batch, "passage", signal);
    if (!embedded.ok) return embedded;
    if (embedded.value.length !== batch.length) return err("the embedder left out texts");
    embedded.value.forEach((vector, place) => made.set(batch[place] ?? "", vector));
  }
  return ok(texts.map((text) => known.get(text) ?? made.get(text) ?? null));
}

/** What a small embedder does not read by itself: a passage means also what stands beside it. */
function mixNeighbours(vectors: Vectors, { fusion }: Embedder): Vectors {
  const { previous, next } = fusion;
  if (previous === 0 && next === 0) return vectors;
  return vectors.map((own, index) => {
    if (!own) return null;
    const sum = Float32Array.from(own);
    add(sum, vectors[index - 1], previous);
    add(sum, vectors[index + 1], next);
    return unit(sum);
  });
}

function add(sum: Float32Array, vector: Vectors[number] | undefined, share: number): void {
  if (!vector) return;
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + share * (vector[at] ?? 0);
}

function unit(vector: Float32Array): Float32Array | null {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : null;
}

function pack(vectors: Vectors, dimensions: number): PackedRows {
  const present = vectors.flatMap((vector, position) => (vector ? [{ position, vector }] : []));
  return packRows(present, dimensions);
}
