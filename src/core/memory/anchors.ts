import type { ClassifiedFile } from "#contract/provenance.ts";
import { readNotes } from "./entry-notes.ts";
import { lineHash } from "./line-hash.ts";

/** Where an entry is from, as its `from:` note says: `path#hash`, some of them. */
export interface Anchor {
  readonly path: string;
  readonly hash: string;
}

/** Names may have spaces, one at a time; the anchors of a note are set apart by commas. */
const anchor = /^([^\s,#|<>]+(?: [^\s,#|<>]+)*\.md)#([0-9a-f]{8,64})$/;

export function isAnchor(text: string): boolean {
  return anchor.test(text);
}

export function anchorsOf(line: string): Anchor[] {
  return (readNotes(line).from ?? "").split(/,\s*/).flatMap((source) => {
    const [, path, hash] = anchor.exec(source) ?? [];
    return path === undefined || hash === undefined ? [] : [{ path, hash }];
  });
}

/** Index of the line with that hash; -1 = it is not there (any more). */
export function findLine({ lines }: Pick<ClassifiedFile, "lines">, hash: string): number {
  return lines.findIndex(({ text }) => lineHash(text) === hash);
}
