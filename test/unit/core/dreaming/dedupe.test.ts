import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanEvidence } from "#core/dreaming/evidence.ts";
import { groupCandidates, saysTheSame, shapeOf, similarity } from "#core/dreaming/dedupe.ts";
import { conceptsOf, triggersOf } from "#core/dreaming/concepts.ts";
import { line, recalls, before, today } from "./world.ts";

test.each([
  ["Ada's dog is called Bit.", "ada's dog is called bit", true],
  ["The dog of Ada is called Bit", "Ada's dog is called Bit", false],
  ["Ada's dog is called Bit", "Ada's dog is called Kit", false],
  [
    "I do like the long walks by the sea near Whitby",
    "I do not like the long walks by the sea near Whitby",
    false,
  ],
  [
    "The meeting with the bank about the house loan is in room 12",
    "The meeting with the bank about the house loan is in room 14",
    false,
  ],
  ["我家的狗叫小白", "我家的狗叫小白。", true],
  ["我家的狗叫小白", "我家的猫叫小黑", false],
  ["我喜欢喝茶", "我不喜欢喝茶", false],
  ["I prefer tea over coffee", "I prefer coffee over tea", false],
  ["mein Fahrrad im Keller steht", "Mein Fahrrad steht im Keller.", true],
  ["mein Hund Bit heißt", "Mein Hund heißt Bit", true],
  ["der Hund die Katze mag", "Die Katze mag der Hund", false],
  ["The code of the door is 2-2-5", "The code of the door is 2-5-5", false],
  ["Office hours are 09:00 to 10:00", "Office hours are 09:00 to 10:09", false],
  [
    "My sister Anna lives in Porto and works at the hospital near the river",
    "My sister Anna lives in Lisbon and works at the hospital near the river",
    false,
  ],
  [
    "My sister Anna now lives in Porto and works at the hospital near the river",
    "My sister Anna lives in Porto and works at the hospital near the river",
    true,
  ],
  [
    "the plumber comes every second Tuesday of the month to look at the old boiler",
    "the plumber comes every second Thursday of the month to look at the old boiler",
    false,
  ],
  [
    "the spare key of the flat lies in the drawer on the left of the kitchen sink",
    "the spare key of the flat lies in the drawer on the right of the kitchen sink",
    false,
  ],
  ["我每个周二晚上都要去市中心的游泳馆游泳", "我每个周四晚上都要去市中心的游泳馆游泳", false],
])("%j and %j: %s", (first, second, same) => {
  expect(saysTheSame(shapeOf(first), shapeOf(second))).toBe(same);
});

test("likeness is the same both ways, and whole with itself", () => {
  const text = fc.stringMatching(/^[a-e 我你他]{0,30}$/);
  fc.assert(
    fc.property(text, text, (first, second) => {
      const [one, two] = [shapeOf(first), shapeOf(second)];
      expect(similarity(one, two)).toBe(similarity(two, one));
      expect(similarity(one, one)).toBe(one.tokens.size === 0 ? 0 : 1);
    }),
  );
});

test("looking by rare words only finds every leader that says the same", () => {
  const word = fc.constantFrom(
    ..."alpha beta gamma delta epsilon zeta eta theta iota kappa".split(" "),
  );
  const text = fc.array(word, { minLength: 3, maxLength: 12 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
      const lines = texts.map((one, index) => line(one, { path: `memory/${index}.md` }));
      const groups = groupCandidates(cleanEvidence({ lines, recalls: [] }));
      const shapes = groups.map((group) => shapeOf(group.text));
      for (const [index, shape] of shapes.entries()) {
        expect(shapes.slice(index + 1).some((other) => saysTheSame(shape, other))).toBe(false);
      }
      expect(groups.flatMap(({ mentions }) => mentions)).toHaveLength(
        cleanEvidence({ lines, recalls: [] }).lines.length,
      );
    }),
    { numRuns: 300 },
  );
});

test("the owner's words lead, what was said elsewhere and recalled of it is counted with them", () => {
  const own = line("The boiler is serviced every October", { day: before(today, 3) });
  const agent = line("- the boiler is serviced every October", { trust: "agent" });
  const signals = [...recalls(own, 2), ...recalls(agent, 3)];
  const [one, ...rest] = groupCandidates(cleanEvidence({ lines: [agent, own], recalls: signals }));
  expect(rest).toEqual([]);
  expect(one).toMatchObject({ text: own.text, trust: "owner" });
  expect(one?.mentions.map(({ day }) => day)).toEqual([before(today, 3), today]);
  expect(one?.recalls).toHaveLength(3);
});

test("a thousand lines are grouped in a moment", () => {
  const lines = Array.from({ length: 1000 }, (_one, index) =>
    line(`note ${index % 700} about the thing number ${index % 700} in the house of Ada`, {
      path: `memory/${index}.md`,
    }),
  );
  expect(groupCandidates(cleanEvidence({ lines, recalls: [] }))).toHaveLength(700);
});

test.each([
  [
    "Ada's dog is called Bit and hates thunder",
    ["ada", "bit", "dog", "thunder"],
    ["ada", "bit", "thunder"],
  ],
  [
    "the order a17 is at the post office",
    ["order", "a17", "post", "office"],
    ["office", "order", "post"],
  ],
  ["我对花生过敏", ["花生", "过敏"], ["花生", "过敏"]],
  ["is it 12 or 13", [], []],
])("%j is about %j and comes to mind at %j", (text, tags, triggers) => {
  expect(conceptsOf(text)).toEqual(tags);
  expect(triggersOf(text)).toEqual(triggers);
});
