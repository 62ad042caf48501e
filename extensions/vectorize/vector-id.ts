import type { VectorKey } from "#contract/vector-store.ts";

/** A vector's id says what it is of: a later generation is another vector, and an old one is recognised. */
export interface DatedKey extends VectorKey {
  readonly generation: number;
}

export function vectorId({ sourceId, generation, position }: DatedKey): string {
  return `${sourceId}.${generation}.${position}`;
}

/** Undefined = it is none of ours. */
export function readVectorId(id: string): DatedKey | undefined {
  const parts = /^(-?\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(id);
  if (!parts) return undefined;
  const [sourceId = 0, generation = 0, position = 0] = parts.slice(1).map(Number);
  return { sourceId, generation, position };
}

/** A namespace has 64 bytes at most; a longer name is told from others by a hash at its end. */
export function shortNamespace(name: string): string {
  if (/^[\x20-\x7e]{1,64}$/.test(name)) return name;
  const bytes = new TextEncoder().encode(name);
  const hash = [5381, 52_711].map((seed) =>
    bytes.reduce((sum, byte) => (Math.imul(sum, 33) ^ byte) >>> 0, seed),
  );
  const start = name.replaceAll(/[^\x20-\x7e]/g, "_").slice(0, 40);
  return `${start}~${hash.map((part) => part.toString(36)).join("")}`;
}
