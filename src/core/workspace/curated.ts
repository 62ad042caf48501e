import type { CuratedEntry } from "#contract/agent-port.ts";
import type { ClassifiedFile, ClassifiedLine } from "#contract/provenance.ts";
import { isClean } from "#contract/transcript.ts";
import { readNotes, stripNotes } from "#core/memory/entry-notes.ts";
import { carriesFact, factText } from "#core/memory/fact-line.ts";
import { knownHash } from "./known-hash.ts";
import { isTemplateLine } from "./template-lines.ts";

/**
 * What of a curated file stands in every prompt: the lines an owner or the agent is behind, and no
 * others. The result is a function of those lines alone, so that nothing else that gets into the file
 * can move a byte of it: blank lines go, one is set before each heading, and a heading the file came
 * with is shown where something stands under it. Pure.
 */
export interface CuratedView {
  readonly text: string;
  readonly leftOut: number;
  readonly entries: readonly CuratedEntry[];
}

const heading = /^#{1,6}\s/;
const fence = /^\s*(?:```|~~~)/;

export function viewCurated({ path, lines }: ClassifiedFile): CuratedView {
  const shown: string[] = [];
  const entries: CuratedEntry[] = [];
  let waitingHeading: string | null = null;
  let leftOut = 0;
  for (const line of lines) {
    const kind = kindOf(path, line);
    if (kind === "left out") leftOut += 1;
    if (kind === "template heading") waitingHeading = show(line.text);
    if (kind !== "shown") continue;
    if (waitingHeading !== null) push(shown, waitingHeading);
    waitingHeading = null;
    push(shown, show(line.text));
    if (!heading.test(line.text)) entries.push(entryOf(path, line));
  }
  const text = shown.length === 0 ? "" : `${shown.join("\n")}\n`;
  return { text, leftOut, entries };
}

function kindOf(
  path: string,
  { text, origin }: ClassifiedLine,
): "shown" | "template heading" | "left out" | "nothing" {
  // A fence whose end would be left out turns the rest of the prompt into code.
  if (!carriesFact(text) || fence.test(text)) return "nothing";
  if (isTemplateLine(path, text)) return heading.test(text) ? "template heading" : "nothing";
  return isClean(origin.trust) ? "shown" : "left out";
}

function show(line: string): string {
  return stripNotes(line).trimEnd();
}

function push(shown: string[], line: string): void {
  if (shown.length > 0 && heading.test(line)) shown.push("");
  shown.push(line);
}

function entryOf(path: string, { text, origin }: ClassifiedLine): CuratedEntry {
  const { triggers, importance, projects, status } = readNotes(text);
  return {
    path,
    text: factText(text),
    hash: knownHash(text),
    trust: origin.trust === "owner" ? "owner" : "agent",
    triggers,
    importance,
    projects,
    active: status !== "superseded",
  };
}
