import type { Candidate, CleanLine, Recall } from "#contract/dreaming.ts";
import { stem } from "#kit/text/stem.ts";
import type { CleanEvidence } from "./evidence.ts";
import { compareLines } from "./evidence.ts";
import { compareText } from "./days.ts";
import { echoes, type Saying, sayingOf } from "./echo.ts";
import { denies, figuresInRow, tokensOf } from "./meaning.ts";
import { particularsOf } from "./particulars.ts";

/**
 * Which texts say the same. Similarity is Dice's coefficient over the sets of normalised words (bigrams
 * in scripts without spaces): twice what they share, over what they have together. Two texts of which
 * one denies, that differ in a number, that have another name or day in the same place (particulars.ts),
 * or that say the same words in another order ("tea over coffee") are not the same however alike they look.
 */
const sameThreshold = 0.88;

export interface Shape {
  readonly tokens: ReadonlySet<string>;
  readonly denies: boolean;
  readonly figures: string;
  readonly particulars: ReadonlySet<string>;
}

export function shapeOf(text: string): Shape {
  return {
    tokens: tokensOf(text),
    denies: denies(text),
    figures: figuresInRow(text).join(" "),
    particulars: particularsOf(text),
  };
}

/** 0 to 1. */
export function similarity(first: Shape, second: Shape): number {
  const [small, large] =
    first.tokens.size <= second.tokens.size
      ? [first.tokens, second.tokens]
      : [second.tokens, first.tokens];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const token of small) if (large.has(token)) shared++;
  return (2 * shared) / (small.size + large.size);
}

export function saysTheSame(first: Shape, second: Shape): boolean {
  return (
    first.denies === second.denies &&
    first.figures === second.figures &&
    similarity(first, second) >= sameThreshold &&
    sameOrder(first, second) &&
    !(hasOther(first, second) && hasOther(second, first))
  );
}

/** Does the first have a name or the like that the second has not? */
function hasOther(first: Shape, { tokens, particulars }: Shape): boolean {
  return [...first.particulars].some((word) => !tokens.has(word) && !particulars.has(word));
}

/** German verbs that end a clause after "dass" and stand second otherwise: what they say is the same. */
const clauseEnds = new Set(
  (
    "bin ist sind war waren habe hat haben hatte hatten heiße heißt heißen mag mögen kann können muss müssen will soll darf " +
    "wohne wohnt wohnen arbeite arbeitet lebe lebt steht stehen liegt liegen esse isst trinke trinkt spreche spricht"
  )
    .split(" ")
    .map(stem),
);

/** Sets keep the order of the text. */
function sameOrder(first: Shape, second: Shape): boolean {
  const shared = [...first.tokens].filter((token) => second.tokens.has(token));
  const again = [...second.tokens].filter((token) => first.tokens.has(token));
  return (
    isSameList(shared, again) ||
    [shared, again].some((list) => {
      const last = list.at(-1) ?? "";
      const others = (tokens: string[]) => tokens.filter((token) => token !== last);
      return clauseEnds.has(last) && isSameList(others(shared), others(again));
    })
  );
}

function isSameList(first: readonly string[], second: readonly string[]): boolean {
  return first.every((token, index) => token === second[index]);
}

interface Group {
  readonly leader: CleanLine;
  readonly shape: Shape;
  readonly lines: CleanLine[];
  /** The agent's answers that say it again: found, they count; said, they do not. */
  readonly echoes: CleanLine[];
}

/**
 * Candidates from clean lines: each line joins the first group whose leader says the same. The order of
 * the lines (asked for, owner's, newest first) makes the best line the leader, and has the owner's there
 * before the agent's echoes of them. A leader is looked for by its rarest words only: whatever shares 0.88
 * shares at least one of them.
 */
export function groupCandidates({ lines, recalls }: CleanEvidence): Candidate[] {
  const shapes = lines.map((line) => shapeOf(line.text));
  const frequency = new Map<string, number>();
  for (const { tokens } of shapes) {
    for (const token of tokens) frequency.set(token, (frequency.get(token) ?? 0) + 1);
  }
  const byToken = new Map<string, Group[]>();
  const groups: Group[] = [];
  const told = new ToldGroups(frequency);
  for (const [index, line] of lines.entries()) {
    const shape = shapes[index] ?? shapeOf(line.text);
    const rare = rarest(shape, frequency);
    const found = firstSame(shape, rare, byToken);
    if (found) {
      found.lines.push(line);
      continue;
    }
    const echoed = line.trust === "agent" ? told.find(line.text) : undefined;
    if (echoed) {
      echoed.echoes.push(line);
      continue;
    }
    const group = { leader: line, shape, lines: [line], echoes: [] };
    groups.push(group);
    if (line.trust === "owner") told.add(group);
    for (const token of rare) byToken.set(token, [...(byToken.get(token) ?? []), group]);
  }
  return groups.map((group) => toCandidate(group, recalls));
}

/** With a total order of words, two sets that overlap enough share one of these. */
function rarest({ tokens }: Shape, frequency: ReadonlyMap<string, number>): string[] {
  const least = Math.ceil((tokens.size * sameThreshold) / (2 - sameThreshold) - 1e-9);
  return [...tokens]
    .toSorted(
      (first, second) =>
        (frequency.get(first) ?? 0) - (frequency.get(second) ?? 0) || compareText(first, second),
    )
    .slice(0, tokens.size - least + 1);
}

function firstSame(
  shape: Shape,
  rare: readonly string[],
  byToken: ReadonlyMap<string, readonly Group[]>,
): Group | undefined {
  const near = new Set(rare.flatMap((token) => byToken.get(token) ?? []));
  const same = [...near].filter((group) => saysTheSame(group.shape, shape));
  return same.toSorted((first, second) => compareLines(first.leader, second.leader))[0];
}

/** What the owner told, by the rarest of its words that mean something: an echo has all of them. */
class ToldGroups {
  readonly #byToken = new Map<string, { readonly group: Group; readonly saying: Saying }[]>();
  readonly #frequency: ReadonlyMap<string, number>;

  constructor(frequency: ReadonlyMap<string, number>) {
    this.#frequency = frequency;
  }

  add(group: Group): void {
    const saying = sayingOf(group.leader.text);
    const count = (token: string) => this.#frequency.get(token) ?? 0;
    const [rare] = [...saying.content].toSorted(
      (first, second) => count(first) - count(second) || compareText(first, second),
    );
    if (rare === undefined) return;
    this.#byToken.set(rare, [...(this.#byToken.get(rare) ?? []), { group, saying }]);
  }

  find(text: string): Group | undefined {
    const answer = sayingOf(text);
    return [...answer.content]
      .flatMap((token) => this.#byToken.get(token) ?? [])
      .filter(({ saying }) => echoes(answer, saying))
      .map(({ group }) => group)
      .toSorted((first, second) => compareLines(first.leader, second.leader))[0];
  }
}

function toCandidate(
  { leader, lines, echoes: answers }: Group,
  recallsOf: ReadonlyMap<string, readonly Recall[]>,
): Candidate {
  const mentions = lines
    .map(({ source, day, at, trust }) => ({ source, day, at, trust }))
    .toSorted(
      (first, second) =>
        compareText(first.day, second.day) ||
        first.at - second.at ||
        compareText(first.source, second.source),
    );
  const best = new Map<string, Recall>();
  for (const recall of [...lines, ...answers].flatMap(
    ({ source }) => recallsOf.get(source) ?? [],
  )) {
    const once = `${recall.query} ${recall.day}`;
    if ((best.get(once)?.score ?? -1) < recall.score) best.set(once, recall);
  }
  const recalls = [...best]
    .toSorted(([first], [second]) => compareText(first, second))
    .map(([, recall]) => recall);
  return { ...leader, mentions, recalls };
}
