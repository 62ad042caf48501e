import type { MemoryRow } from "#contract/memory.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type { ForgetFact } from "#contract/upkeep.ts";
import { createForgetter, sentenceSpans } from "#kit/text/forget-text.ts";
import { anchorsOf, findLine } from "./anchors.ts";
import { carriesFact, factText } from "./fact-line.ts";
import { nearness } from "./near-lines.ts";
import { sourceOf } from "./source.ts";

/**
 * What somebody may mean who wants something forgotten: facts, one by one, with the places they stand in.
 * A line of a file is one fact, a message as many as it has sentences. What an entry was made from comes
 * with it, what was made from a note too, and so does whatever says a fact word for word.
 */
export interface FactPorts {
  search(text: string, limit: number): Promise<readonly MemoryRow[]>;
  /** Null also where it may not be read. */
  read(path: string): Promise<ClassifiedFile | null>;
}

const MAX_FACTS = 10;
const ROWS = 12;
const NEAR = 0.6;

export async function findFacts(
  given: FactPorts,
  text: string,
): Promise<{ readonly facts: readonly ForgetFact[]; readonly more: boolean }> {
  const ports = readingOnce(given);
  const found = new Found();
  const near = nearness(text);
  await addNear(ports, text, found, (fact) => near(fact) >= NEAR);
  await addRelated(ports, found);
  for (const { text: known } of found.facts().slice(0, MAX_FACTS)) {
    const { finds } = createForgetter([known]);
    await addNear(ports, known, found, finds);
  }
  const facts = found.facts();
  return { facts: facts.slice(0, MAX_FACTS), more: facts.length > MAX_FACTS };
}

interface Piece {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

class Found {
  readonly pieces: Piece[] = [];

  add(piece: Piece): void {
    const known = this.pieces.some(
      ({ path, line, text }) => path === piece.path && line === piece.line && text === piece.text,
    );
    if (!known) this.pieces.push(piece);
  }

  facts(): ForgetFact[] {
    const facts = new Map<string, { text: string; where: string[] }>();
    for (const { path, line, text } of this.pieces) {
      const key = text.toLowerCase().replace(/[.!?。！？\s]+$/u, "");
      const fact = facts.get(key) ?? { text, where: [] };
      fact.where.push(`${path}:${line}`);
      facts.set(key, fact);
    }
    return [...facts.values()].map(({ text, where }) => ({ text, where: [...new Set(where)] }));
  }
}

async function addNear(
  ports: FactPorts,
  question: string,
  found: Found,
  isMeant: (fact: string) => boolean,
): Promise<void> {
  for (const row of await ports.search(question, ROWS)) {
    const file = await ports.read(row.path);
    for (const piece of piecesOf(file, row.from, row.to)) if (isMeant(piece.text)) found.add(piece);
  }
}

/** What entries of MEMORY.md were made from, and which were made from what was found. */
async function addRelated(ports: FactPorts, found: Found): Promise<void> {
  const memory = await ports.read("MEMORY.md");
  const at = new Set(found.pieces.map(({ path, line }) => `${path}:${line}`));
  for (const [index, { text }] of memory?.lines.entries() ?? []) {
    const sources = await sourcesOf(ports, text);
    const isFound = at.has(`MEMORY.md:${index + 1}`);
    const isFromFound = sources.some(({ path, line }) => at.has(`${path}:${line}`));
    const related = isFound ? sources : isFromFound ? piecesOf(memory, index + 1, index + 1) : [];
    for (const piece of related) found.add(piece);
  }
}

/** Of a long message only what is near the entry was its source. */
async function sourcesOf(ports: FactPorts, entry: string): Promise<Piece[]> {
  const near = nearness(factText(entry));
  const found: Piece[] = [];
  for (const { path, hash } of anchorsOf(entry)) {
    const file = await ports.read(path);
    const line = file ? findLine(file, hash) + 1 : 0;
    if (line === 0) continue;
    const pieces = piecesOf(file, line, line);
    found.push(...(pieces.length > 1 ? pieces.filter(({ text }) => near(text) >= NEAR) : pieces));
  }
  return found;
}

/** The facts of these lines (counted from 1, both included). */
function piecesOf(file: ClassifiedFile | null, from: number, to: number): Piece[] {
  if (!file) return [];
  const isSaid = sourceOf(file.path)?.kind === "session";
  return file.lines.slice(from - 1, to).flatMap(({ text: raw }, index) => {
    if (!carriesFact(raw)) return [];
    const fact = factText(raw);
    const texts = isSaid
      ? sentenceSpans(fact).map(([start, end]) => fact.slice(start, end))
      : [fact];
    return texts.map((text) => ({ path: file.path, line: from + index, text }));
  });
}

/** A file is read once, however many rows are of it. */
function readingOnce(ports: FactPorts): FactPorts {
  const files = new Map<string, Promise<ClassifiedFile | null>>();
  return {
    search: (text, limit) => ports.search(text, limit),
    read(path) {
      const known = files.get(path) ?? ports.read(path);
      files.set(path, known);
      return known;
    },
  };
}
