import { describe, expect, test } from "vitest";
import { parseMemoryFile } from "#core/dreaming/memory-file.ts";
import { type Dreamer, dream, dreamer, line, memoryOf, source, today } from "./world.ts";

/** A model that answers as it is told, well and badly. Bad answers are refused whole, and rules go on. */
const entry = (text: string, day = "2026-05-01") =>
  `- ${text} <!-- importance: 5 --> <!-- from: ${source(text, day)} -->`;
const oldEntries = [
  "The owner's sister Clara lives in Oslo",
  "The boat is called Petrel and lies in Whitby",
  "The owner prefers window seats on trains",
  "The boiler is serviced every October",
];
/** The owner has said it in other words by hand. */
const said = "The owner, allergic to: peanuts, walnuts, cashews";
const memory = `# Memory\n\nHand-written, not yours.\n${said}\n\n${oldEntries.map((one) => entry(one)).join("\n")}\n`;
const peanuts = line("Please remember that I'm allergic to peanuts, walnuts and cashews");
const boat = line("remember that the boat is now called Heron and lies in Whitby");
const evidence = { lines: [peanuts, boat], recalls: [] };

function night(answer: unknown, budget = 12_000) {
  const who = dreamer(memory);
  const state = dream(who, evidence, {
    budget,
    model: () => (typeof answer === "string" ? answer : JSON.stringify(answer)),
  });
  return { who, state };
}

/** C1 and C2 by what they say: which is first follows from scores. */
function ids(): { peanuts: string; boat: string } {
  let user = "";
  dream(dreamer(memory), evidence, { model: (text) => ((user = text), null) });
  const { candidates } = JSON.parse(user) as { candidates: { id: string; text: string }[] };
  const id = (word: string) => candidates.find(({ text }) => text.includes(word))?.id ?? "";
  return { peanuts: id("peanuts"), boat: id("boat") };
}
const C = ids();
const add = {
  action: "add",
  sources: [C.peanuts],
  text: "The owner is allergic to peanuts, walnuts and cashews",
  importance: 9,
  triggers: ["peanuts", "allergic"],
};
const rename = {
  action: "supersede",
  entry: "E2",
  sources: [C.boat],
  text: "The boat is now called Heron and lies in Whitby",
  importance: 6,
  triggers: ["boat"],
};

describe("a good answer", () => {
  test("is carried out: added, replaced in place, all else as it was", () => {
    const { who, state } = night({
      operations: [add, rename, { action: "keep", entry: "E1" }],
      diary: "A boat got a new name.",
    });
    expect(state).toMatchObject({
      refused: null,
      plan: { mode: "model", diary: "A boat got a new name." },
    });
    const lines = memory.split("\n");
    lines[6] = `- ${rename.text} <!-- importance: 6 --> <!-- trigger: boat --> <!-- from: ${boat.path}#${boat.hash} -->`;
    lines.splice(
      9,
      0,
      `- ${add.text} <!-- importance: 9 --> <!-- trigger: peanuts, allergic --> <!-- from: ${peanuts.path}#${peanuts.hash} -->`,
    );
    expect(memoryOf(who)).toBe(lines.join("\n"));
    expect(who.files.get("DREAMS.md")).toContain("A boat got a new name.");
  });

  test("may stand in a code fence or among prose", () => {
    const { state } = night(
      `Here you are:\n\`\`\`json\n${JSON.stringify({ operations: [add, rename] })}\n\`\`\``,
    );
    expect(state.plan?.mode).toBe("model");
  });

  test("cannot leave out what the owner asked for", () => {
    const { who, state } = night({ operations: [rename] });
    expect(state.plan?.mode).toBe("model");
    expect(memoryOf(who)).toContain("- Owner: I'm allergic to peanuts, walnuts and cashews");
  });

  test("may merge what belongs together, and the sources come along", () => {
    const merged = {
      action: "merge",
      entries: ["E2"],
      sources: [C.boat],
      text: "The boat, called Petrel and now Heron, lies in Whitby",
      importance: 6,
      triggers: ["heron"],
    };
    const { who, state } = night({ operations: [add, merged] });
    expect(state.refused).toBeNull();
    const found = parseMemoryFile(who.memory).entries.find(({ text }) => text === merged.text);
    expect(found?.from).toEqual([
      `${boat.path}#${boat.hash}`,
      source(oldEntries[1]!, "2026-05-01"),
    ]);
  });

  test("with triggers of its own invention gets those of the rules", () => {
    const { who } = night({
      operations: [{ ...add, triggers: ["password", "the", "everything"] }, rename],
    });
    expect(memoryOf(who)).toContain("<!-- trigger: allergic, peanuts, walnuts -->");
    expect(memoryOf(who)).not.toContain("password");
  });
});

const drop = (...entries: string[]) => ({
  action: "merge",
  entries,
  sources: [],
  text: "The owner's sister Clara",
  importance: 5,
  triggers: [],
});
const form = "the answer is not of the form that was asked for";
const noSource = "a promotion does not carry its source";
const notThere = "a source or entry does not exist";
const nuts = "allergic to peanuts, walnuts and cashews";
function adding(text: string) {
  return { operations: [{ ...add, text }] };
}

const bad: [string, string, unknown][] = [
  ["prose", "no JSON object", "I think the memory is fine as it is."],
  ["nothing", "no JSON object", ""],
  ["half of a JSON", "is not JSON", '{"operations": [{"action": "add"}'],
  ["an array", "no JSON object", []],
  ["another form", form, { entries: ["x"] }],
  ["an unknown action", form, { operations: [{ action: "delete", entry: "E1" }] }],
  ["all merged away", "more than a quarter", { operations: [drop("E1", "E2", "E3", "E4")] }],
  ["half merged away", "more than a quarter", { operations: [drop("E1", "E2", "E3")] }],
  ["an invented source", notThere, { operations: [{ ...add, sources: ["C9"] }] }],
  [
    "one invented source of two",
    notThere,
    { operations: [{ ...add, sources: [C.peanuts, "x.md#1"] }] },
  ],
  ["no source", noSource, { operations: [{ ...add, sources: [] }] }],
  ["an entry as source of an addition", noSource, { operations: [{ ...add, sources: ["E1"] }] }],
  ["a source used twice", "used twice", { operations: [add, { ...add, text: `Owner: ${nuts}` }] }],
  ["an entry that is not there", notThere, { operations: [{ ...rename, entry: "E9" }] }],
  [
    "a replacement about something else",
    "something else",
    { operations: [{ ...add, action: "supersede", entry: "E3" }] },
  ],
  [
    "free invention",
    "of its words",
    adding("The owner loves skiing in Norway with her brother Tom"),
  ],
  ["an invented number", "number", adding(`The owner is ${nuts}, 1815`)],
  ["an invented name", "name", adding(`The owner Byron is ${nuts}`)],
  ["the opposite", "denies", adding(`The owner is not ${nuts}`)],
  ["a note in the text", "comment", adding(`The owner is ${nuts} <!-- importance: 10 -->`)],
  ["an open note in the text", "comment", adding(`${nuts} <!-- from: x.md#00000000`)],
  ["a heading in the text", "structure", adding(`# ${nuts}`)],
  ["a list in the text", "structure", adding(`- ${nuts}`)],
  ["a second line", "one line", adding(`${nuts}\n## Rules\n- peanuts`)],
  ["an empty text", "empty", adding(" ")],
  ["a text without end", "longer than", adding("allergic peanuts ".repeat(40))],
  ["an importance of 11", "importance", { operations: [{ ...add, importance: 11 }] }],
  ["an importance of 7.5", "importance", { operations: [{ ...add, importance: 7.5 }] }],
  ["an importance in words", form, { operations: [{ ...add, importance: "high" }] }],
  ["a wish without one of its parts", "leaves out", adding("The owner is allergic to peanuts")],
  ["what is there already", "there already", adding(said)],
  [
    "a thousand operations",
    form,
    { operations: Array.from({ length: 1000 }, () => ({ action: "keep", entry: "E1" })) },
  ],
];

describe("a bad answer", () => {
  const byRule = dreamer(memory);
  dream(byRule, evidence);

  test.each(bad)(
    "(%s) is refused because of %j, and the night goes on by rule",
    (_name, reason, answer) => {
      const { who, state } = night(answer);
      expect(state.refused).toContain(reason);
      expect(state.plan?.mode).toBe("append-only");
      expect(memoryOf(who)).toBe(memoryOf(byRule));
      expect(memoryOf(who)).toContain("Hand-written, not yours.\n");
      expect(who.files.get("DREAMS.md")).toContain("By rule, without the model: ");
    },
  );

  test.each([
    ["leaves out", "The insurance number of the car"],
    ["leaves out", "The insurance number of the car is 77-1234"],
    ["another order", "The insurance number of the car is 77-99-1234"],
  ])("that changes a number (%s: %s) is refused", (reason, text) => {
    const who = dreamer();
    const wish = line("remember that the insurance number of the car is 77-1234-99");
    const model = () => JSON.stringify({ operations: [{ ...add, sources: ["C1"], text }] });
    const state = dream(who, { lines: [wish], recalls: [] }, { model });
    expect(state.refused).toContain(reason);
    expect(memoryOf(who)).toContain("- the insurance number of the car is 77-1234-99 ");
  });

  test("that shortens a wish too long for an entry is no bad one", () => {
    const who = dreamer();
    const wish = line(
      `remember that the spare key hangs ${"behind the old green door ".repeat(14)}`,
    );
    const text = "The spare key hangs behind the old green door";
    const model = () => JSON.stringify({ operations: [{ ...add, sources: ["C1"], text }] });
    expect(dream(who, { lines: [wish], recalls: [] }, { model }).refused).toBeNull();
    expect(memoryOf(who)).toContain(text);
  });

  test("that puts what has one word in common in the place of several entries is refused", () => {
    const lines = [
      line("remember that the parcel for Clara was paid"),
      line("remember that the window of the shed sticks"),
    ];
    const answer = (user: string) => {
      const { candidates } = JSON.parse(user) as { candidates: { id: string; text: string }[] };
      const operations = candidates.map(({ id, text }) => ({
        ...rename,
        entry: text.includes("Clara") ? "E1" : "E3",
        sources: [id],
        text,
      }));
      return JSON.stringify({ operations });
    };
    const who = dreamer(memory);
    expect(dream(who, { lines, recalls: [] }, { model: answer }).refused).toContain("be lost");
    expect(memoryOf(who)).toContain(oldEntries[0]);
    expect(memoryOf(who)).toContain(oldEntries[2]);
  });

  test("that exceeds the budget is refused", () => {
    const { state } = night({ operations: [add, rename] }, memory.length + 40);
    expect(state.refused).toContain("budget");
  });

  test("that edits the owner's own lines has no operation to do it with", () => {
    const { state, who } = night({
      operations: [add, rename],
      memory: "# All mine now",
      handWritten: [],
    });
    expect(state.plan?.mode).toBe("model");
    expect(memoryOf(who)).toContain("# Memory\n\nHand-written, not yours.\n");
  });

  test("cannot put structure into the diary", () => {
    const { who } = night({
      operations: [add, rename],
      diary: "# Rules\n<!-- importance: 10 --> `x`",
    });
    expect(who.files.get("DREAMS.md")).toContain("\n\nRules importance: 10 x\n");
  });
});

test("a model that fails, and one that is not there, do what the rules do", () => {
  const [one, two]: Dreamer[] = [dreamer(memory), dreamer(memory)];
  dream(one!, evidence, { model: () => null });
  dream(two!, evidence);
  expect(memoryOf(one!)).toBe(memoryOf(two!));
});

test("the prompt names what is there and what is new, and no path, class or day it does not need", () => {
  let user = "";
  dream(dreamer(memory), evidence, { model: (text) => ((user = text), null) });
  expect(JSON.parse(user)).toMatchObject({
    budget: 12_000,
    written_by_owner: ["Hand-written, not yours.", said],
    entries: [{ id: "E1", text: oldEntries[0], importance: 5, day: "2026-05-01" }, {}, {}, {}],
    candidates: [{ by: "owner", day: today, asked_to_remember: true }, {}],
  });
  expect(user).not.toContain("memory/");
});
