/**
 * Lines of files, out of what the tools answer: as grep shows them, and as a search of the memory does.
 * Which of them say something; not which answer a question.
 */
export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** `path:line: text`. */
const row = /^([^\s:][^:]*):(\d+): (.*)$/;
/** `1. path:3-4 (score …)`, above each passage that a search of the memory found. */
const head = /^\d+\. (\S.*):(\d+)(?:-\d+)? \(score /;
/** The same of a file whose name somebody else may have chosen: it stands with their words. */
const foreignHead = /^\d+\. at the place below \(score /;
/** The frame around others' words, and what the search says for itself. */
const aside = /^(?:<<<|\[.*\]$)/;

export function grepLines(text: string): FoundLine[] {
  return text.split("\n").flatMap((line) => {
    const [, path, number, said] = row.exec(line) ?? [];
    if (path === undefined || said === undefined) return [];
    return [{ path, line: Number(number), text: said }];
  });
}

export function passageLines(text: string): FoundLine[] {
  let path = "";
  let next = 1;
  return text.split("\n").flatMap((line) => {
    const passage = foreignHead.test(line) ? ["", "memory", "1"] : head.exec(line);
    if (passage) {
      path = passage[1] ?? "";
      next = Number(passage[2]);
      return [];
    }
    return path === "" || aside.test(line) ? [] : [{ path, line: next++, text: line }];
  });
}

/** A person's own words, below the entry that was made of them. */
const words = /^\s*> "(.+)"$/;

/**
 * No headings, comments, or forms nobody has filled in. Words below an entry say what it says; below
 * the mere kind of an entry (`fact:`) they are all there is.
 */
export function tellingLines(lines: readonly FoundLine[]): FoundLine[] {
  let entry: FoundLine | null = null;
  return lines.flatMap((each) => {
    const said = words.exec(each.text)?.[1];
    if (said === undefined) {
      entry = saysSomething(each.text) ? each : null;
      return entry ? [each] : [];
    }
    if (entry?.path !== each.path || entry.line !== each.line - 1) return [{ ...each, text: said }];
    entry = each;
    return [];
  });
}

function saysSomething(text: string): boolean {
  return /[^:\s]\s*$/.test(text) && !/^\s*(?:<!--|#|>)/.test(text);
}
