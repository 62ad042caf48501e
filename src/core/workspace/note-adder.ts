import type { NoteEntry, NoteReceipt, NoteRequest } from "#contract/memory.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import { isClean } from "#contract/transcript.ts";
import { MAX_FILE_BYTES, type WorkspaceFile } from "#contract/workspace.ts";
import { carriesFact } from "#core/memory/fact-line.ts";
import {
  addToNote,
  DAY_NOTES,
  notePart,
  notePath,
  type NotePlace,
  type PresentNote,
} from "#core/memory/note-format.ts";
import { byteLength } from "./apply-change.ts";
import { OUTSIDE_BYTES } from "./outside-room.ts";
import { KEPT, type WorkspaceWriter } from "./writer.ts";

/**
 * Adds to daily notes, one request after the other for each, so that what two conversations say at once
 * stands there once. What counts as standing there already goes by the class of its line, which only
 * the agent knows.
 */
export interface NoteAdderPorts {
  readonly writer: Pick<WorkspaceWriter, "apply">;
  /** As it will be, with what is on its way. */
  read(path: string): Promise<WorkspaceFile | null>;
  readClassified(path: string): Promise<ClassifiedFile | null>;
  /** The owner's IANA zone. */
  readonly timeZone: string;
}

export interface NoteAdder {
  note(request: NoteRequest): Promise<NoteReceipt>;
}

export function createNoteAdder(ports: NoteAdderPorts): NoteAdder {
  const latest = new Map<string, Promise<unknown>>();
  return {
    note(request) {
      const path = notePath({ at: request.at, timeZone: ports.timeZone });
      const before = latest.get(path) ?? Promise.resolve();
      const work = before.then(() => add(ports, path, request));
      const settled = work.catch(() => undefined);
      latest.set(path, settled);
      void settled.then(() => {
        if (latest.get(path) === settled) latest.delete(path);
      });
      return work;
    },
  };
}

/**
 * What is clean goes into another note of the day where one does not take it, whoever has filled or
 * damaged that; what others have said beside it may be what there is no room for.
 */
async function add(
  ports: NoteAdderPorts,
  dayPath: string,
  request: NoteRequest,
): Promise<NoteReceipt> {
  const { operationId, entries } = request;
  const clean = entries.filter(({ author }) => isClean(author.trust));
  const isMixed = clean.length < entries.length;
  const first = await addTo(ports, dayPath, request);
  if (first.ok || first.reason === KEPT || clean.length === 0) return first;
  const own = { ...request, entries: clean };
  let receipt: NoteReceipt = first;
  for (let part = isMixed ? 1 : 2; part <= DAY_NOTES && !receipt.ok; part += 1) {
    // Another change has another id: the first one may stand in the log as refused.
    receipt = await addTo(ports, notePart(dayPath, part), {
      ...own,
      operationId: `${operationId}:${part}`,
    });
    if (!receipt.ok && receipt.reason === KEPT) break;
  }
  return receipt;
}

async function addTo(
  ports: NoteAdderPorts,
  path: string,
  { operationId, at, entries }: NoteRequest,
): Promise<NoteReceipt> {
  const place = { at, timeZone: ports.timeZone };
  const present = await presentNote(ports, path);
  const addition = addToNote(present, place, entries);
  if (!addition) return { ok: true, path, added: false };
  if (!hasOwnRoom(present, place, entries)) return { ok: false, reason: "The note is full." };
  const untrusted = entries.some(({ author }) => author.trust === "untrusted");
  const result = await ports.writer.apply({
    operationId,
    authority: { kind: "product", purpose: "note" },
    ...addition,
    path,
    ...(untrusted ? { untrusted } : {}),
  });
  return result.ok ? { ok: true, path, added: true } : result;
}

/**
 * What is clean has as much of a note as others leave at most: were it what they do leave, they would decide
 * into which note of a day it comes, and sources are named by their file.
 */
function hasOwnRoom(
  present: PresentNote,
  place: NotePlace,
  entries: readonly NoteEntry[],
): boolean {
  const clean = entries.filter(({ author }) => isClean(author.trust));
  const own = addToNote({ ...present, empty: false }, place, clean);
  if (!own || own.change.type !== "append") return true;
  const taken = present.lines
    .filter(({ text, trust }) => trust !== "untrusted" && carriesFact(text))
    .reduce((sum, { text }) => sum + byteLength(text) + 1, 0);
  return taken + byteLength(own.change.text) <= MAX_FILE_BYTES - OUTSIDE_BYTES;
}

async function presentNote(ports: NoteAdderPorts, path: string): Promise<PresentNote> {
  const [file, classified] = await Promise.all([ports.read(path), ports.readClassified(path)]);
  const lines = (classified?.lines ?? []).map(({ text, origin }) => ({
    text,
    trust: origin.trust,
  }));
  return { empty: (file?.text ?? "").trim() === "", lines };
}
