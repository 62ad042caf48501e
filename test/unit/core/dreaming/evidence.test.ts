import { expect, test } from "vitest";
import type { ClassifiedFile } from "#contract/provenance.ts";
import { blockEnd, blockStart, cleanEvidence, evidenceOf } from "#core/dreaming/evidence.ts";
import { type LineChange, chat, line, recalls, today } from "./world.ts";

const fact = "The boat lies in the harbour of Whitby";
function kept(text: string, change: LineChange = {}) {
  return cleanEvidence({ lines: [line(text, change)], recalls: [] }).lines.map((one) => one.text);
}

test.each<[string, LineChange]>([
  ["an owner's line", {}],
  ["the agent's line", { trust: "agent" }],
  ["a line of a transcript", { path: `sessions/x/${today}.md` }],
  ["an owner's own edit, of no conversation", { session: null }],
  ["a line of the main conversation", { session: "agent:main:main" }],
])("%s is evidence", (_name, change) => {
  expect(kept(fact, change)).toEqual([fact]);
});

test.each<[string, LineChange]>([
  ["untrusted", { trust: "untrusted" }],
  ["of the system", { trust: "system" }],
  ["waiting for adoption", { waiting: true }],
  ["recalled text", { recalled: true }],
  ["of a job", { session: "agent:main:cron:j:run:1" }],
  ["of the heartbeat", { session: "agent:main:heartbeat" }],
  ["of a subagent", { session: "agent:main:subagent:1" }],
  ["of a hook", { session: "agent:main:hook:1" }],
  ["of a group", { session: "agent:main:web:group:1" }],
  ["of one request", { session: "agent:main:api:once:1" }],
  ["of a conversation nobody can name", { session: "somewhere" }],
  ["the agent's, of no conversation", { trust: "agent", session: null }],
  ["in DREAMS.md", { path: "DREAMS.md" }],
  ["in a dream report", { path: "memory/dreaming/deep/2026-05-10.md" }],
  ["in MEMORY.md", { path: "MEMORY.md" }],
  ["in USER.md", { path: "USER.md" }],
])("a line is no evidence when it is %s", (_name, change) => {
  expect(kept(fact, change)).toEqual([]);
  expect(kept(`remember that ${fact}`, change)).toEqual([]);
});

test("only an owner can ask for something to be remembered", () => {
  const lines = [
    line("remember that the key is under the mat", { trust: "agent" }),
    line("remember that the spare key is at Bob's place"),
  ];
  const clean = cleanEvidence({ lines, recalls: [] }).lines;
  expect(clean.map(({ text, explicit }) => [text, explicit])).toEqual([
    ["the spare key is at Bob's place", true],
    ["remember that the key is under the mat", false],
  ]);
});

test("recalls of rows that are not clean do not count, even for the same text", () => {
  const of = line(fact);
  const signals = [
    ...recalls(of, 2),
    ...recalls(of, 9, { trust: "untrusted", score: 1 }),
    ...recalls(of, 9, { trust: "system", score: 1 }),
  ];
  const found = cleanEvidence({ lines: [of], recalls: signals }).recalls;
  expect([...found.values()].flat()).toHaveLength(2);
});

test("one passage, query and day is one recall, by its best score", () => {
  const of = line(fact);
  const [one] = recalls(of, 1);
  const signals = [0.4, 0.9, 0.5].map((score) => ({ ...one!, score }));
  const found = cleanEvidence({ lines: [of], recalls: signals }).recalls;
  expect([...found.values()].flat()).toEqual([{ query: "q0", day: today, score: 0.9 }]);
});

test("a managed block is left out, and one that nobody closed to the end of its file", () => {
  const lines = [
    fact,
    blockStart,
    "The cellar has forty bottles of wine",
    blockEnd,
    "The attic is full of old books",
    blockStart,
    "The roof was mended in spring",
  ];
  const clean = cleanEvidence({ lines: lines.map((text) => line(text)), recalls: [] });
  expect(clean.lines.map(({ text }) => text).toSorted()).toEqual([
    "The attic is full of old books",
    fact,
  ]);
});

test("marks of a block that are not clean hide nothing", () => {
  const lines = [
    line(blockStart, { trust: "untrusted" }),
    line(fact),
    line(blockEnd, { trust: "system" }),
  ];
  expect(cleanEvidence({ lines, recalls: [] }).lines.map(({ text }) => text)).toEqual([fact]);
});

test.each([
  "- Ada's dog is called Bit — score: 0.81 evidence: 3 status: staged",
  "candidate status: promoted, confidence = 0.6",
])("fields of a report are no evidence: %s", (text) => {
  expect(kept(text)).toEqual([]);
});

test.each([
  ["# 2026-05-10", []],
  ["", []],
  ["<!-- importance: 10 -->", []],
  ["ok thanks", []],
  ["What is the harbour of Whitby like?", []],
  ["- 14:02 The boat lies in Whitby <!-- importance: 3 -->", ["The boat lies in Whitby"]],
  ['  > "The boat lies in Whitby"', ["The boat lies in Whitby"]],
  ["[14:02] owner: The boat lies in Whitby", ["The boat lies in Whitby"]],
  ["- 14:02 [preference] I drink tea in the morning", ["I drink tea in the morning"]],
  ["我家的狗叫小白", ["我家的狗叫小白"]],
  ["好的", []],
])("%j says %j", (text, expected) => {
  expect(kept(text)).toEqual(expected);
});

test.each([
  ["remember that the gate sticks in winter", "the gate sticks in winter"],
  ["Please remember: the gate sticks in winter", "the gate sticks in winter"],
  ["Can you please remember that the gate sticks in winter?", "the gate sticks in winter"],
  ["don't forget that the gate sticks in winter", "the gate sticks in winter"],
  ["The gate sticks in winter, please remember that.", "The gate sticks in winter"],
  ["remember to always answer in French", "to always answer in French"],
  ["请记住我对花生过敏", "我对花生过敏"],
  ["记住:我家的狗叫小白", "我家的狗叫小白"],
  ["私は猫アレルギーです、覚えておいて", "私は猫アレルギーです"],
  ["merk dir, dass das Tor im Winter klemmt", "das Tor im Winter klemmt"],
  ["Merk dir, bitte, dass das Tor im Winter klemmt", "das Tor im Winter klemmt"],
  ["Hallo. Merk dir bitte einfach, dass das Tor im Winter klemmt", "das Tor im Winter klemmt"],
  ["Merke dir bitte Folgendes: das Tor klemmt im Winter", "das Tor klemmt im Winter"],
  ["Vergiss bitte nicht, daß das Tor im Winter klemmt", "das Tor im Winter klemmt"],
  ["Denk bitte daran, dass das Tor im Winter klemmt", "das Tor im Winter klemmt"],
  ["remember, dass das Tor im Winter klemmt", "das Tor im Winter klemmt"],
  ["remember: que la puerta se atasca en invierno", "la puerta se atasca en invierno"],
  ["n'oublie pas: qu'il aime le thé vert", "il aime le thé vert"],
])("%j asks for %j", (text, fact) => {
  const [found] = cleanEvidence({ lines: [line(text)], recalls: [] }).lines;
  expect(found).toMatchObject({ text: fact, explicit: true });
});

test.each([
  "I remember that the gate stuck in winter",
  "remember when we went to Whitby in the rain",
  "do you remember where the boat lies?",
  "remember to buy milk and bread tonight",
  "I will not forget that evening in Whitby",
])("%j asks for nothing", (text) => {
  expect(
    cleanEvidence({ lines: [line(text)], recalls: [] }).lines.every((one) => !one.explicit),
  ).toBe(true);
});

test("lines of a file carry its day, those of an undated one the day they were written", () => {
  const origin = { trust: "owner" as const, session: chat, at: 5 };
  const file = (path: string): ClassifiedFile => ({
    path,
    text: fact,
    etag: "e",
    modifiedAt: 0,
    authorship: "ours",
    lines: [{ text: fact, origin, waiting: true }],
  });
  const dayOf = (at: number) => `1970-01-0${at}`;
  expect(evidenceOf(file("memory/2026-05-03-trip.md"), dayOf)).toMatchObject([
    { path: "memory/2026-05-03-trip.md", day: "2026-05-03", waiting: true, text: fact, origin },
  ]);
  expect(evidenceOf(file("memory/ideas.md"), dayOf)).toMatchObject([{ day: "1970-01-05" }]);
});
