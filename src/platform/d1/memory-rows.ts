import type { IndexedSource, MatchedPassage, StoredPassage } from "#contract/memory-index.ts";
import type { MemoryKind } from "#contract/memory.ts";
import { trusts, type Trust } from "#contract/transcript.ts";

/** Rows of the memory index as D1 answers them, and what they are to us. */
export const sourceColumns = "id, path, kind, identity, hash, etag, generation, model, passages";

export interface SourceColumns extends IndexedSource {
  readonly identity: string | null;
}

export function sourceOfRow({ identity: _identity, ...row }: SourceColumns): IndexedSource {
  return row;
}

export const passageColumns = `p.source_id AS sourceId, p.outside, p.position, p.line, p.text, p.trust,
  p.importance, p.projects, p.superseded, s.path, s.kind, s.identity, s.date`;

export interface PassageColumns {
  readonly sourceId: number;
  readonly outside: number;
  readonly position: number;
  readonly line: number;
  readonly text: string;
  readonly trust: string;
  readonly importance: number | null;
  readonly projects: string;
  readonly superseded: number;
  readonly path: string;
  readonly kind: MemoryKind;
  readonly identity: string | null;
  readonly date: string | null;
}

export interface MatchedColumns extends PassageColumns {
  readonly score: number;
}

export function stored(row: PassageColumns): StoredPassage {
  const { outside, projects, superseded, trust, ...rest } = row;
  return {
    ...rest,
    part: outside === 1 ? "outside" : "clean",
    trust: trustOf(trust),
    projects: projects === "" ? [] : projects.split("\n"),
    superseded: superseded === 1,
  };
}

/** FTS5 scores are the better the lower they are. */
export function matched({ score, ...row }: MatchedColumns): MatchedPassage {
  return { ...stored(row), score: -score };
}

function trustOf(value: string): Trust {
  return trusts.find((trust) => trust === value) ?? "untrusted";
}
