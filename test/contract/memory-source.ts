import type { NewSource } from "#contract/memory-index.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type { Trust } from "#contract/transcript.ts";
import { sourceWithoutVectors } from "#core/memory/index-source.ts";
import { sourceOf } from "#core/memory/source.ts";

/** A source as the index takes it, from lines and their classes. */
export type Line = readonly [Trust, string];

export function sourceFrom(
  path: string,
  lines: readonly Line[],
  identity: string | null = null,
): NewSource {
  const file: ClassifiedFile = {
    path,
    text: lines.map(([, line]) => line).join("\n"),
    etag: "e1",
    modifiedAt: 0,
    authorship: "ours",
    lines: lines.map(([trust, text]) => ({ text, origin: { trust, at: 0 } })),
  };
  const place = sourceOf(path);
  if (!place) throw new Error(`${path} is no source`);
  return sourceWithoutVectors(file, { ...place, identity });
}
