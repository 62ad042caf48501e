import { expect, test } from "vitest";
import { jsonBytes } from "#kit/text/json-bytes.ts";
import { advance, beginNight, needOf } from "#core/dreaming/night.ts";
import { statementsOf } from "#core/dreaming/taken-out.ts";
import {
  curated,
  dream,
  dreamer,
  emptyRecord,
  line,
  memoryOf,
  recalls,
  source,
  today,
  before,
} from "./world.ts";

const asked = line("Please remember that I'm allergic to peanuts");
const dog = line("- 14:02 Ada's dog is called Bit and hates thunder", {
  trust: "agent",
  day: before(today, 2),
});
const noise = [line("it was raining in the morning"), line("the train had ten minutes delay")];

test("what the owner asks to remember is promoted on day one, without a model or a recall", () => {
  const who = dreamer("# Memory\n\nHand-written.\n");
  const state = dream(who, { lines: [asked, ...noise], recalls: [] });
  expect(state.skipped).toBeNull();
  expect(memoryOf(who)).toBe(
    `# Memory\n\nHand-written.\n\n## Learned\n\n- Owner: I'm allergic to peanuts <!-- importance: 9 --> ` +
      `<!-- trigger: allergic, peanuts --> <!-- from: ${source(asked.text)} -->\n`,
  );
  expect(who.files.get("DREAMS.md")).toContain(
    "### Added\n\n- Owner: I'm allergic to peanuts (from ",
  );
});

test("what is recalled often enough, by enough queries, is promoted", () => {
  const who = dreamer();
  dream(who, { lines: [dog, ...noise], recalls: recalls(dog, 5) });
  expect(memoryOf(who)).toContain("- Ada's dog is called Bit and hates thunder <!-- importance: ");
  expect(memoryOf(who)).toContain(`<!-- from: ${dog.path}#${dog.hash} -->`);
});

test.each([
  ["two recalls", recalls(dog, 2)],
  ["three recalls by one query", recalls(dog, 3).map((one) => ({ ...one, query: "q" }))],
  ["recalls that fit badly", recalls(dog, 3, { score: 0.35, days: 1 })],
  [
    "a hundred recalls by the same query on one day",
    Array.from({ length: 100 }, () => ({ ...recalls(dog, 1)[0]! })),
  ],
])("%s are not enough", (_name, signals) => {
  const who = dreamer();
  dream(who, { lines: [dog, ...noise], recalls: signals });
  expect(memoryOf(who)).toBe("");
});

test("a second night without anything new changes nothing and writes nothing", () => {
  const who = dreamer();
  const evidence = { lines: [asked, dog, ...noise], recalls: recalls(dog, 5) };
  dream(who, evidence);
  const [memory, files] = [memoryOf(who), new Map(who.files)];
  for (const day of ["2026-05-11", "2026-05-12", "2026-05-20"]) {
    expect(dream(who, evidence, { day }).skipped).toBe("nothing-new");
  }
  expect(memoryOf(who)).toBe(memory);
  expect(who.files).toEqual(files);
});

test("a night within four hours of the last is skipped, a manual one is not", () => {
  const start = { runId: "r", today, now: 10_000_000, budget: 12_000, model: false };
  const record = { ...emptyRecord, lastAt: 10_000_000 - 3 * 3_600_000 };
  expect(beginNight({ ...start, mode: "night", record }).skipped).toBe("too-soon");
  expect(beginNight({ ...start, mode: "manual", record }).skipped).toBeNull();
  const ahead = { ...record, lastAt: 20_000_000 };
  expect(beginNight({ ...start, mode: "night", record: ahead }).skipped).toBeNull();
});

test("two new lines that say little are not worth a night, an owner's wish is", () => {
  expect(dream(dreamer(), { lines: noise, recalls: [] }).skipped).toBe("too-little-new");
  expect(dream(dreamer(), { lines: noise, recalls: [] }, { mode: "manual" }).skipped).toBeNull();
  expect(dream(dreamer(), { lines: [asked], recalls: [] }).skipped).toBeNull();
});

test("a dry run writes nothing and shows what it would write", () => {
  const who = dreamer("x\n");
  const state = dream(who, { lines: [asked], recalls: [] }, { mode: "dry-run" });
  expect(state.plan?.changes).toHaveLength(1);
  expect(memoryOf(who)).toBe("x\n");
  expect(who.files.size).toBe(0);
  expect(who.record).toEqual(emptyRecord);
  expect(who.needs.map(({ type }) => type)).not.toContain("write");
});

test.each([
  ["nothing is ready", noise, undefined],
  ["what was ready is gone when it is read again", [asked], { lines: [], recalls: [] }],
])("a dry run in which %s writes nothing either", (_name, lines, later) => {
  const who = dreamer("x\n");
  dream(who, { lines, recalls: [] }, { mode: "dry-run", ...(later ? { later } : {}) });
  expect(who.files.size).toBe(0);
  expect(who.record).toEqual(emptyRecord);
});

test("a line that is gone when it is read again is not promoted", () => {
  const who = dreamer();
  dream(who, { lines: [asked, ...noise], recalls: [] }, { later: { lines: noise, recalls: [] } });
  expect(memoryOf(who)).toBe("");
});

test("a line whose class has become lower meanwhile is not promoted", () => {
  const who = dreamer();
  const lowered = line(asked.text, { trust: "untrusted" });
  dream(
    who,
    { lines: [asked, ...noise], recalls: [] },
    { later: { lines: [lowered], recalls: [] } },
  );
  expect(memoryOf(who)).toBe("");
});

test("an edit made while the night was at work is kept, and the night goes on by rule", () => {
  const who = dreamer("one\n");
  const model = () =>
    JSON.stringify({
      operations: [
        {
          action: "add",
          sources: ["C1"],
          text: "The owner is allergic to peanuts",
          importance: 9,
          triggers: ["peanuts"],
        },
      ],
    });
  const state = dream(
    who,
    { lines: [asked, ...noise], recalls: [] },
    {
      model,
      meanwhile: (lines) => [{ text: "two", trust: "owner" }, ...lines],
    },
  );
  expect(memoryOf(who)).toMatch(/^two\none\n\n## Learned\n\n- Owner: I'm allergic to peanuts /);
  expect(state.plan?.mode).toBe("append-only");
  expect(who.needs.flatMap((need) => (need.type === "write" ? need.operationId : []))).toEqual([
    "run-1:write:0",
    "run-1:write:1",
  ]);
});

test("what the owner writes down meanwhile is not added a second time", () => {
  const who = dreamer("one\n");
  const byHand = { text: "I'm allergic to peanuts", trust: "owner" as const };
  dream(
    who,
    { lines: [asked, ...noise], recalls: [] },
    { meanwhile: (lines) => [byHand, ...lines] },
  );
  expect(memoryOf(who)).toBe("I'm allergic to peanuts\none\n");
});

test("a file that this run has written already is not written again", () => {
  const who = dreamer("one\n");
  const state = dream(
    who,
    { lines: [asked, ...noise], recalls: [] },
    {
      meanwhile: (lines) => {
        const need = who.needs.at(-1);
        return need?.type === "write" ? [...need.lines] : lines;
      },
    },
  );
  expect(state.writes).toBe(0);
  expect(memoryOf(who).match(/peanuts <!--/g)).toHaveLength(1);
});

test("a file that never holds still is left alone, and the night is told as unfinished", () => {
  const who = dreamer("one\n");
  let state = beginNight({
    runId: "r",
    mode: "night",
    today,
    now: 1,
    budget: 12_000,
    model: false,
    record: emptyRecord,
  });
  const file = (text: string) => ({ lines: curated(text), etag: text });
  const evidence = { lines: [asked, ...noise], recalls: [] };
  for (let step = 0; state.step !== "done" && step < 30; step++) {
    const need = needOf(state);
    if (need.type === "write") state = advance(state, { type: "changed", file: file(`v${step}`) });
    else state = advance(state, { type: "evidence", evidence, file: file("v") });
  }
  expect(state.skipped).toBe("file-kept-changing");
  expect(memoryOf(who)).toBe("one\n");
});

test("a step that is repeated after a crash gives the same state and the same operations", () => {
  const evidence = { lines: [asked, dog, ...noise], recalls: recalls(dog, 5) };
  let state = beginNight({
    runId: "r",
    mode: "night",
    today,
    now: 1,
    budget: 12_000,
    model: true,
    record: emptyRecord,
  });
  for (let step = 0; state.step !== "done" && step < 30; step++) {
    const input =
      state.step === "gather" || state.step === "recheck"
        ? ({ type: "evidence", evidence, file: { lines: curated("x\n"), etag: "1" } } as const)
        : ({ type: "answer", text: null } as const);
    const stored = structuredClone(state);
    expect(needOf(stored)).toEqual(needOf(state));
    expect(advance(stored, input)).toEqual(advance(state, input));
    state = advance(state, input);
  }
  expect(state.plan?.changes).toHaveLength(2);
});

test("more than one night takes is taken the next night, although nothing new came", () => {
  const who = dreamer();
  const lines = Array.from({ length: 25 }, (_one, index) =>
    line(`remember that drawer ${index} holds tools of kind ${index}`),
  );
  expect(dream(who, { lines, recalls: [] }).more).toBe(true);
  expect(dream(who, { lines, recalls: [] }, { day: "2026-05-11" }).skipped).toBeNull();
  expect(memoryOf(who).match(/^- /gm)).toHaveLength(25);
  expect(dream(who, { lines, recalls: [] }, { day: "2026-05-12" }).skipped).toBe("nothing-new");
});

test("the state of the largest night fits into a row", () => {
  const lines = Array.from({ length: 3000 }, (_one, index) =>
    line(`第${index}条${"我家的狗叫小白记住了吗你好世界".repeat(index % 40)}`, {
      path: `sessions/${"x".repeat(100)}/${index}.md`,
    }),
  );
  const signals = lines.slice(0, 900).flatMap((one) => recalls(one, 5));
  const input = { lines, recalls: signals.map((one) => ({ ...one, query: one.query.padEnd(64) })) };
  const gone = Array.from({ length: 400 }, (_one, index) => `${index}${"白".repeat(396)}`);
  const record = {
    ...emptyRecord,
    settled: lines.slice(0, 2000).map(({ path, hash }) => `${path}#${hash}`),
    stated: statementsOf(curated(gone.join("\n"))),
  };
  const start = {
    runId: "r",
    mode: "night" as const,
    today,
    now: 1,
    budget: 12_000,
    model: false,
    record,
  };
  const file = { lines: curated("我".repeat(12_000)), etag: "1" };
  const state = advance(beginNight(start), { type: "evidence", evidence: input, file });
  expect(state.candidates.length).toBeGreaterThan(100);
  expect(state.record.takenOut.length).toBeGreaterThan(50);
  expect(jsonBytes(state)).toBeLessThan(1_900_000);
});

test("what the owner removes from the file does not come back", () => {
  const who = dreamer();
  dream(who, { lines: [asked, ...noise], recalls: [] });
  who.memory = curated("");
  const fresh = line("remember that the garage code is 4711", { day: "2026-05-11" });
  dream(who, { lines: [asked, ...noise, fresh], recalls: [] }, { day: "2026-05-11" });
  expect(memoryOf(who)).not.toContain("peanuts");
  expect(memoryOf(who)).toContain("4711");
});
