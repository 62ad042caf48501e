import { expect, test } from "vitest";
import type { NightEvidence } from "#contract/dreaming.ts";
import { deepPhase, judge, weights } from "#core/dreaming/deep.ts";
import { groupCandidates } from "#core/dreaming/dedupe.ts";
import { cleanEvidence } from "#core/dreaming/evidence.ts";
import { describeExplanations } from "#core/dreaming/explain-text.ts";
import { explainPromotion } from "#core/dreaming/explain.ts";
import { knownFrom } from "#core/dreaming/known.ts";
import { lightPhase } from "#core/dreaming/light.ts";
import { parseMemoryFile } from "#core/dreaming/memory-file.ts";
import { remConfidence, remPhase } from "#core/dreaming/rem.ts";
import {
  before,
  curated,
  dream,
  dreamer,
  emptyRecord,
  line,
  memoryOf,
  recalls,
  source,
  today,
} from "./world.ts";

const fact = line("Ada keeps the keys of the boathouse at Whitby", {
  trust: "agent",
  day: before(today, 1),
});
const candidates = (evidence: NightEvidence) => groupCandidates(cleanEvidence(evidence));
const known = knownFrom(parseMemoryFile([]), []);

test("the weights are those that are documented", () => {
  expect(weights).toEqual({
    relevance: 0.3,
    frequency: 0.24,
    diversity: 0.15,
    recency: 0.15,
    consolidation: 0.1,
    concepts: 0.06,
    light: 0.06,
    rem: 0.09,
  });
});

test("each part is scaled as documented", () => {
  const signals = [...recalls(fact, 3, { score: 0.8, days: 2 })];
  const [candidate] = candidates({ lines: [fact], recalls: signals });
  const marks = [
    { phase: "light" as const, source: candidate!.source, day: before(today, 3), strength: 0.5 },
    { phase: "light" as const, source: candidate!.source, day: before(today, 20), strength: 1 },
    { phase: "rem" as const, source: candidate!.source, day: today, strength: 0.7 },
    { phase: "rem" as const, source: "elsewhere", day: today, strength: 1 },
  ];
  const { parts, score } = judge(candidate!, { today: "2026-05-24", signals: marks, known });
  expect(parts.relevance).toBeCloseTo(0.8);
  expect(parts.frequency).toBeCloseTo(Math.log(4) / Math.log(7));
  expect(parts.diversity).toBeCloseTo(0.6);
  expect(parts.recency).toBeCloseTo(0.5);
  expect(parts.consolidation).toBeCloseTo(2 / 3);
  expect(parts.concepts).toBeCloseTo(5 / 6);
  expect([parts.light, parts.rem]).toEqual([0, 0]);
  const now = judge(candidate!, { today, signals: marks, known });
  expect([now.parts.light, now.parts.rem]).toEqual([0.5, 0.7]);
  expect(now.parts.recency).toBe(1);
  expect(now.score).toBeGreaterThan(score);
});

test("light looks at two days, and counts files and recalls, not lines", () => {
  const old = line("The gutter is cleaned in late November", { day: before(today, 2) });
  const often = Array.from({ length: 50 }, () => line("The cat sleeps on the radiator all day"));
  const staged = lightPhase(
    candidates({ lines: [fact, old, ...often], recalls: recalls(fact, 3) }),
    today,
  );
  expect(staged.map(({ candidate, strength }) => [candidate.text, strength])).toEqual([
    [fact.text, 0.75],
    ["The cat sleeps on the radiator all day", 0.25],
  ]);
});

test("what the agent says in words of its own is no theme", () => {
  const told = ["keys", "ropes"].map((thing) => line(`The ${thing} hang in the boathouse`));
  const answers = ["keys", "ropes", "sails"].map((thing) =>
    line(`A demo without an API key knows nothing of ${thing}`, { trust: "agent" }),
  );
  const { themes } = remPhase(candidates({ lines: [...told, ...answers], recalls: [] }), today);
  expect(themes.map(({ tag }) => tag).toSorted()).toEqual(["boathouse", "hang"]);
});

test("REM finds themes and at most three truths, by the documented confidence", () => {
  const lines = ["keys", "ropes", "sails", "lamps"].map((thing) =>
    line(`The ${thing} of the boathouse hang behind the stairs`),
  );
  const signals = lines.flatMap((one, index) => recalls(one, 2 + index, { score: 0.9, days: 3 }));
  const { themes, truths } = remPhase(candidates({ lines, recalls: signals }), today);
  expect(themes.slice(0, 2)).toEqual([
    { tag: "behind", candidates: 4 },
    { tag: "boathouse", candidates: 4 },
  ]);
  expect(truths.map(({ candidate }) => candidate.text.split(" ")[1])).toEqual([
    "lamps",
    "sails",
    "ropes",
  ]);
  const [candidate] = candidates({
    lines: [fact],
    recalls: recalls(fact, 2, { score: 0.6, days: 2 }),
  });
  const expected = 0.45 * 0.6 + (0.25 * Math.log(3)) / Math.log(7) + 0.2 * (2 / 3) + (0.1 * 5) / 6;
  expect(remConfidence(candidate!, today)).toBeCloseTo(expected);
  expect(remConfidence(candidate!, "2026-05-30")).toBe(0);
});

test("what MEMORY.md says already, in whatever hand, is not promoted again", () => {
  const [candidate] = candidates({ lines: [fact], recalls: recalls(fact, 6) });
  const context = (memory: string, settled: string[] = []) => ({
    today,
    signals: [],
    known: knownFrom(parseMemoryFile(curated(memory)), settled),
  });
  const why = (memory: string, settled?: string[]) =>
    judge(candidate!, context(memory, settled)).failed;
  expect(why("")).toEqual([]);
  expect(why(`- ${fact.text}.`)).toMatchObject([{ gate: "new", why: "MEMORY.md says so already" }]);
  expect(why(`- reworded <!-- from: ${candidate!.source} -->`)).toMatchObject([
    { why: "it stands in MEMORY.md, in an entry made from it" },
  ]);
  expect(why("", [candidate!.source])).toMatchObject([
    { why: "an earlier night has dealt with it" },
  ]);
});

test("the explanation tells what was taken out by hand before that a night has dealt with it", () => {
  const [candidate] = candidates({ lines: [fact], recalls: [] });
  const { text, source } = candidate!;
  const record = {
    ...emptyRecord,
    settled: [source],
    takenOut: [{ text, from: [source], at: Date.parse("2999-01-01") }],
  };
  const evidence = { lines: [fact], recalls: [] };
  const file = { lines: [], etag: null };
  const [found] = explainPromotion(text, { evidence, file, record, today, now: 1 });
  expect(found?.failed.map(({ why }) => why)).toContain(
    "it was taken out of MEMORY.md, and not said again by you since",
  );
});

test("the explanation shows each part, each gate that failed and why", () => {
  const context = {
    evidence: {
      lines: [fact, line("The rain went on all morning long")],
      recalls: recalls(fact, 2, { score: 0.6 }),
    },
    file: { lines: [], etag: null },
    record: emptyRecord,
    today,
    now: 1,
  };
  const [nearest, ...rest] = explainPromotion("spare keys boathouse", context);
  expect(rest).toEqual([]);
  expect(nearest).toMatchObject({ candidate: { text: fact.text }, path: "evidence" });
  expect(nearest?.failed.map(({ gate }) => gate)).toEqual(["score", "recalls", "queries"]);
  expect(nearest?.failed[1]?.why).toBe("recalled 2 times, 3 are needed");
  expect(explainPromotion("zebra", context)).toEqual([]);
});

test("what a night has kept is explained by where it stands, and waits for nothing", () => {
  const who = dreamer();
  const wish = line("Merk dir bitte, dass mein Fahrrad im Keller steht");
  const told = line("Mein Fahrrad steht im Keller", { at: 1 });
  const evidence = { lines: [wish, told], recalls: recalls(told, 1) };
  dream(who, evidence);
  expect(memoryOf(who).match(/^- .*Fahrrad/gm)).toHaveLength(1);
  expect(memoryOf(who)).not.toContain("dass");
  const file = { lines: who.memory, etag: null };
  const context = { evidence, file, record: who.record, today, now: 1 };
  const found = explainPromotion("Fahrrad Keller", context);
  const text = describeExplanations("Fahrrad Keller", found);
  expect(text).toContain("1 recall, 2 mentions");
  expect(text).toContain("settled: it stands in MEMORY.md");
  expect(text).not.toMatch(/waits|dealt with/);
  const known = knownFrom(parseMemoryFile(context.file.lines), who.record.settled);
  const after = candidates(evidence);
  expect(deepPhase(after, { today, signals: [], known }).waiting).toEqual([]);
});

test.each([
  [1, "recalled 1 time, 3 are needed", "by 1 different query, 3 are needed"],
  [2, "recalled 2 times, 3 are needed", "by 2 different queries, 3 are needed"],
])("%d recalls are counted as one says it", (count, times, queries) => {
  const [candidate] = candidates({ lines: [fact], recalls: recalls(fact, count) });
  const { failed } = judge(candidate!, { today, signals: [], known });
  expect(failed.map(({ why }) => why)).toEqual(expect.arrayContaining([times, queries]));
});

test("what did not pass the gate is not even explained", () => {
  const evil = line("The spare keys are for the visitor in black", { trust: "untrusted" });
  const context = {
    evidence: { lines: [evil], recalls: [] },
    file: { lines: [], etag: null },
    record: emptyRecord,
    today,
    now: 1,
  };
  expect(explainPromotion("spare keys visitor", context)).toEqual([]);
});

test("candidates that are ready are not among those that wait", () => {
  const result = deepPhase(candidates({ lines: [fact], recalls: recalls(fact, 6) }), {
    today,
    signals: [],
    known,
  });
  expect([result.ready.length, result.waiting.length, result.more]).toEqual([1, 0, false]);
});

test("phase reports say what was found, between marks that no night reads", () => {
  const who = dreamer();
  dream(who, {
    lines: [
      fact,
      line("The boathouse at Whitby needs a new roof"),
      line("The ferry to Whitby passes the boathouse"),
    ],
    recalls: recalls(fact, 4),
  });
  const [light, rem, deep] = ["light", "rem", "deep"].map(
    (phase) => who.files.get(`memory/dreaming/${phase}/${today}.md`) ?? "",
  );
  for (const text of [light!, rem!, deep!]) {
    const fed = text.split("\n").map((one) => line(one, { path: "memory/note.md" }));
    expect(text).not.toBe("");
    expect(cleanEvidence({ lines: fed, recalls: [] }).lines).toEqual([]);
  }
  expect(deep).toContain(`score 1.`);
  expect(rem).toContain("Themes: boathouse (2), whitby (2)");
  expect(light).toContain(source(fact.text, before(today, 1)));
});
