import type {
  IndexedSource,
  MatchedPassage,
  MemoryFile,
  MemoryFiles,
  MemoryIndex,
  NewPassage,
  NewSource,
  Part,
  PassageSpan,
  Recall,
  Scope,
  StoredPassage,
  Stretch,
  TermQuery,
} from "#contract/memory-index.ts";
import type { Trust } from "#contract/transcript.ts";
import type { PackedVectors, SourceVectors } from "#contract/vector-store.ts";

/** Of all agents, as in one database. */
let ids = 0;

/**
 * The index of one agent in memory, for tests over thousands of histories. It passes the suite of the
 * real one (test/contract/memory-index-suite.ts); words are cut at anything but letters and digits and
 * lose an English ending, scores are BM25 over three columns. `gate` is awaited before each effect: one
 * that throws is a failure there, one that never resolves a crash.
 */
export class MemoryIndexDouble implements MemoryIndex {
  recalls: Recall[] = [];
  readonly published: NewSource[] = [];
  gate: (effect: "publish" | "remove" | "clear", path: string) => void | Promise<void> = () => {};
  readonly #sources = new Map<string, { head: IndexedSource; source: NewSource }>();

  async sources({ after, upTo }: Stretch = { after: "", upTo: null }): Promise<IndexedSource[]> {
    return [...this.#sources.values()]
      .map(({ head }) => head)
      .filter(({ path }) => path > after && (upTo === null || path <= upTo))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async source(path: string): Promise<IndexedSource | null> {
    return this.#sources.get(path)?.head ?? null;
  }

  async publish(source: NewSource): Promise<IndexedSource> {
    await this.gate("publish", source.path);
    this.published.push(source);
    const old = this.#sources.get(source.path)?.head;
    const head: IndexedSource = {
      id: old?.id ?? (ids += 1),
      path: source.path,
      kind: source.kind,
      hash: source.hash,
      etag: source.etag,
      generation: (old?.generation ?? 0) + 1,
      model: source.vectors?.model ?? null,
      passages: source.passages.length,
    };
    this.#sources.set(source.path, { head, source });
    return head;
  }

  async touch(path: string, etag: string): Promise<void> {
    const known = this.#sources.get(path);
    if (known) this.#sources.set(path, { ...known, head: { ...known.head, etag } });
  }

  async remove(path: string): Promise<IndexedSource | null> {
    await this.gate("remove", path);
    const head = this.#sources.get(path)?.head ?? null;
    this.#sources.delete(path);
    return head;
  }

  /** Here nothing is left of what was removed. */
  async eraseRemovedWords(): Promise<null> {
    return null;
  }

  async clear(): Promise<void> {
    await this.gate("clear", "");
    this.#sources.clear();
  }

  async match({ part, scope, terms, beginnings, limit }: TermQuery): Promise<MatchedPassage[]> {
    const rows = this.#rows(part);
    const documents = rows.map(({ passage }) => columnsOf(passage));
    const known = beginnings ? [...new Set(documents.flat().flatMap(({ words }) => words))] : [];
    const asked = beginnings
      ? known.filter((word) => terms.some((term) => word.startsWith(term))).map((word) => [word])
      : terms.map(wordsOf).filter((words) => words.length > 0);
    const scores = bm25(documents, asked);
    return rows
      .flatMap(({ stored }, at) => {
        const score = scores[at] ?? 0;
        return score > 0 && mayRead(stored, scope) ? [{ ...stored, score }] : [];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  async passages(part: Part, spans: readonly PassageSpan[]): Promise<StoredPassage[]> {
    return this.#rows(part)
      .map(({ stored }) => stored)
      .filter(({ sourceId, position }) =>
        spans.some(
          (span) => span.sourceId === sourceId && span.first <= position && position <= span.last,
        ),
      );
  }

  async named(names: readonly string[], scope: Scope): Promise<IndexedSource[]> {
    const asked = names.map((name) => name.toLowerCase());
    return [...this.#sources.values()]
      .filter(({ source }) => {
        const path = source.path.toLowerCase();
        const last = path.split("/").at(-1) ?? "";
        return (asked.includes(path) || asked.includes(last)) && mayRead(source, scope);
      })
      .map(({ head }) => head);
  }

  vectors(part: Part): PackedVectors {
    const sign = part === "clean" ? 1 : -1;
    const of = (model: string): SourceVectors[] =>
      [...this.#sources.values()].flatMap(({ head, source: { vectors } }) => {
        const rows = vectors?.[part];
        if (!vectors || !rows || vectors.model !== model || rows.positions.length === 0) return [];
        const { dimensions } = vectors;
        const { generation } = head;
        return [{ sourceId: sign * head.id, generation, model, dimensions, ...rows }];
      });
    return {
      heads: async (model) => of(model),
      async *all(model) {
        yield* of(model);
      },
      of: async (model, ids) => of(model).filter(({ sourceId }) => ids.includes(sourceId)),
    };
  }

  async recallsSince(day: string, limit: number): Promise<Recall[]> {
    return this.recalls
      .filter((recall) => recall.day >= day)
      .toSorted((a, b) => (a.day === b.day ? b.at - a.at : a.day < b.day ? 1 : -1))
      .slice(0, limit);
  }

  async addRecalls(recalls: readonly Recall[]): Promise<void> {
    for (const recall of recalls) {
      const known = this.recalls.some(
        ({ lineHash, queryHash, day }) =>
          lineHash === recall.lineHash && queryHash === recall.queryHash && day === recall.day,
      );
      if (!known) this.recalls.push(recall);
    }
  }

  async removeRecalls(lineHashes: readonly string[]): Promise<void> {
    this.recalls = this.recalls.filter(({ lineHash }) => !lineHashes.includes(lineHash));
  }

  async dropRecalls(beforeDay: string): Promise<void> {
    this.recalls = this.recalls.filter(({ day }) => day >= beforeDay);
  }

  async counts() {
    const heads = await this.sources();
    const passages = heads.reduce((sum, head) => sum + head.passages, 0);
    return { sources: heads.length, passages };
  }

  #rows(part: Part): { passage: NewPassage; stored: StoredPassage }[] {
    return [...this.#sources.values()].flatMap(({ head, source }) =>
      source.passages
        .filter((passage) => passage.part === part)
        .map((passage) => ({ passage, stored: storedPassage(head.id, source, passage) })),
    );
  }
}

function storedPassage(sourceId: number, source: NewSource, passage: NewPassage): StoredPassage {
  const { self: _self, before: _before, after: _after, hash: _hash, ...own } = passage;
  const { path, kind, identity, date } = source;
  return { ...own, sourceId, path, kind, identity, date };
}

function mayRead({ kind, identity }: Pick<NewSource, "kind" | "identity">, scope: Scope): boolean {
  if (!scope.kinds.includes(kind)) return false;
  return kind !== "session" || (identity !== null && identity === scope.identity);
}

function wordsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
  return words.map((word) => word.replace(/(?<=[a-z]{3})(?:ing|ed|es|s)$/, ""));
}

function columnsOf({ self, before, after }: NewPassage) {
  return [
    { words: wordsOf(self), weight: 1 },
    { words: wordsOf(before), weight: 0.5 },
    { words: wordsOf(after), weight: 0.25 },
  ];
}

type Document = ReturnType<typeof columnsOf>;

/** A term of several words must stand in a row. */
function frequency(document: Document, term: readonly string[]): number {
  const phrase = ` ${term.join(" ")} `;
  return document.reduce((sum, { words, weight }) => {
    const text = ` ${words.join("  ")} `;
    return sum + weight * (text.split(phrase.replaceAll(/(?<=\S) (?=\S)/g, "  ")).length - 1);
  }, 0);
}

function bm25(documents: readonly Document[], terms: readonly (readonly string[])[]): number[] {
  const lengths = documents.map((columns) => columns.reduce((sum, c) => sum + c.words.length, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const scores = documents.map(() => 0);
  for (const term of terms) {
    const frequencies = documents.map((document) => frequency(document, term));
    const having = frequencies.filter((count) => count > 0).length;
    const rarity = Math.max(1e-6, Math.log((documents.length - having + 0.5) / (having + 0.5)));
    for (const [at, count] of frequencies.entries()) {
      const norm = 1.2 * (0.25 + 0.75 * ((lengths[at] ?? 0) / Math.max(1, average)));
      scores[at] = (scores[at] ?? 0) + (rarity * count * 2.2) / (count + norm);
    }
  }
  return scores;
}

/** Files in memory, with the class of each line as the test says. */
export class MemoryFilesDouble implements MemoryFiles {
  readonly files = new Map<string, MemoryFile>();
  readonly broken = new Set<string>();
  lists = 0;
  /** Of a list at a time. */
  listed = 1_000;
  #versions = 0;

  /** Lines with their class, or all of one. */
  put(path: string, lines: readonly (readonly [Trust, string])[], more: Partial<MemoryFile> = {}) {
    const text = lines.map(([, line]) => line).join("\n");
    this.files.set(path, {
      path,
      text,
      etag: `v${(this.#versions += 1)}`,
      modifiedAt: 0,
      authorship: "ours",
      lines: lines.map(([trust, line]) => ({ text: line, origin: { trust, at: 0 } })),
      ...more,
    });
  }

  write(path: string, text: string, trust: Trust = "agent"): void {
    this.put(
      path,
      text.split("\n").map((line) => [trust, line] as const),
    );
  }

  async read(path: string): Promise<MemoryFile | null> {
    if (this.broken.has(path)) throw new Error("storage does not answer");
    return this.files.get(path) ?? null;
  }

  async list(after: string) {
    this.lists += 1;
    const left = [...this.files.values()]
      .map(({ path, etag }) => ({ path, etag }))
      .filter(({ path }) => path > after)
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const sources = left.slice(0, this.listed);
    return { sources, next: left.length > this.listed ? (sources.at(-1)?.path ?? null) : null };
  }
}
