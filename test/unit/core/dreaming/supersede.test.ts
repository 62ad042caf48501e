import { describe, expect, test } from "vitest";
import { subjectKey } from "#core/dreaming/supersede.ts";
import { before, curated, dream, dreamer, line, memoryOf, today } from "./world.ts";

test.each([
  ["call me Ada", "name-to-use"],
  ["Please just call me Ms Lovelace", "name-to-use"],
  ["以后叫我小明", "name-to-use"],
  ["I live in Lyon", "home"],
  ["I've moved to Porto", "home"],
  ["Actually, we just moved to Porto", "home"],
  ["The owner lives in Porto now", "home"],
  ["我搬到了上海", "home"],
  ["我现在住在北京", "home"],
  ["I work at the harbour office", "work"],
  ["The owner now works for Acme", "work"],
  ["my new boss is Clara", "my:boss"],
  ["我在银行工作", "work"],
  ["I prefer tea over coffee", "prefer:coffee tea"],
  ["I now prefer coffee to tea", "prefer:coffee tea"],
  ["The owner prefers the coffee rather than tea", "prefer:coffee tea"],
  ["我喜欢茶胜过咖啡", "prefer:咖啡 茶"],
  ["比起茶,我更喜欢咖啡", "prefer:咖啡 茶"],
  ["I like jazz", "like:jazz"],
  ["I don't like jazz any more", "like:jazz"],
  ["我不喜欢爵士乐了", "like:爵士乐"],
  ["My favourite colour is green", "my:favorite colour"],
  ["my favorite colour is now blue", "my:favorite colour"],
  ["My email is ada@example.com", "my:email"],
  ["my new phone number is 555-0100", "my:phone number"],
  ["my dog is called Bit", "my:dog:name"],
  ["my dog's name is Kit", "my:dog:name"],
  ["我的电话是12345", "my:电话"],
  ["Owner: I moved to Porto", "home"],
  ["my office is in Lyon", "my:office:place"],
  ["My new office is now at 12 Harbour Street", "my:office:place"],
  ["Actually, our office has moved to Porto", "my:office:place"],
  ["I've moved my office to the third floor", "my:office:place"],
  ["Owner: my office is in Porto", "my:office:place"],
  ["my desk is at the window", "my:desk:place"],
  ["my desk is still next to the printer", "my:desk:place"],
  ["my office is room 214", "my:office:place"],
  ["my locker is number 12", "my:locker:place"],
  ["my parking space is behind the mill", "my:parking space:place"],
  ["the owner's desk is by the door", "my:desk:place"],
  ["Mein Büro ist jetzt in Porto", "my:büro:place"],
  ["我的办公室在三楼", "my:办公室:place"],
  ["我的工位搬到了窗边", "my:工位:place"],
  ["my work email is ada@example.com", "my:work email"],
  ["my shirt size is M", "my:shirt size"],
  ["my accountant is Bob", "my:accountant"],
  ["my working hours are nine to three", "my:working hours"],
  ["Ich wohne in Köln", "home"],
  ["ich bin nach Bremen gezogen", "home"],
  ["ich in Köln wohne", "home"],
  ["Ich arbeite jetzt bei Acme", "work"],
  ["Nenn mich Ada", "name-to-use"],
])("%j is about %s", (text, key) => {
  expect(subjectKey(text)).toBe(key);
});

test.each([
  "my sister is a doctor",
  "my friend is Bob",
  "my car is dirty",
  "my boss is annoying today",
  "the boat lies in Whitby",
  "Bob lives in Lyon",
  "call me back tomorrow",
  "call me when you are there",
  "I work with Bob on Sundays",
  "I moved to the next chapter",
  "I moved to a table by the window",
  "叫我起床",
  "我叫了外卖",
  "我的车是坏的",
  "我在家工作",
  "my office is in a mess",
  "my desk is in need of a tidy",
  "my office is at risk",
  "my desk is at the window today",
  "my office is big",
  "my car is in the garage",
  "my sister is in Bergen",
  "my key is under the mat",
  "the office is in Lyon",
  "Bob's desk is at the window",
  "I moved my car to the other side",
  "my accountant is late",
  "mein Büro ist heute in Köln",
  "我的办公室在装修",
  "",
])("%j settles nothing", (text) => {
  expect(subjectKey(text)).toBeNull();
});

const day = (number: number) => `2026-05-1${number}`;
const noise = (number: number) => [
  line("the rain went on all morning long", { day: day(number) }),
  line("the evening brought a little sun", { day: day(number) }),
];

test.each([
  ["remember that I live in Lyon", "I moved to Porto", "Porto", "Lyon"],
  [
    "remember that I prefer tea over coffee",
    "I prefer coffee over tea",
    "prefer coffee over",
    "prefer tea over",
  ],
  ["请记住我住在北京", "我搬到了上海", "上海", "北京"],
  ["remember that my office is in Lyon", "my office is now in Porto", "Porto", "Lyon"],
  ["remember that my desk is at the window", "I moved my desk to the gallery", "gallery", "window"],
  ["Merk dir, dass ich in Köln wohne", "Ich bin nach Bremen gezogen", "Bremen", "Köln"],
  ["请记住我的办公室在三楼", "我的办公室搬到了五楼", "五楼", "三楼"],
])("%j, then %j: by rule the new replaces the old, in its place", (first, second, fresh, old) => {
  const who = dreamer("a\n");
  dream(who, { lines: [line(first, { day: day(0) }), ...noise(0)], recalls: [] }, { day: day(0) });
  expect(memoryOf(who)).toContain(old);
  const lines = [line(first, { day: day(0) }), line(second, { day: day(1) }), ...noise(1)];
  dream(who, { lines, recalls: [] }, { day: day(1) });
  expect(memoryOf(who)).toContain(fresh);
  expect(memoryOf(who)).not.toContain(old);
  expect(memoryOf(who).match(/^- /gm)).toHaveLength(1);
  expect(who.files.get("DREAMS.md")).toContain("### Replaced");
  // The old sentence still stands in its note, and new evidence comes: it stays replaced.
  dream(who, { lines: [...lines, ...noise(2)], recalls: [] }, { day: day(2) });
  expect(memoryOf(who)).toContain(fresh);
  expect(memoryOf(who)).not.toContain(old);
});

test("what was true once may become true again", () => {
  const who = dreamer();
  const lines = [line("remember that I live in Lyon", { day: day(0) })];
  dream(who, { lines, recalls: [] }, { day: day(0) });
  lines.push(line("I moved to Porto", { day: day(1) }));
  dream(who, { lines, recalls: [] }, { day: day(1) });
  lines.push(line("I live in Lyon", { day: day(2) }));
  dream(who, { lines, recalls: [] }, { day: day(2) });
  expect(memoryOf(who)).toMatch(/^- Owner: I live in Lyon /m);
  expect(memoryOf(who)).not.toContain("Porto");
});

test("of two sentences of one day the later one stands, also on later nights", () => {
  const who = dreamer();
  const lines = [
    line("remember that I live in Lyon", { at: 1000 }),
    line("I moved to Porto", { at: 2000 }),
  ];
  dream(who, { lines, recalls: [] });
  expect(memoryOf(who)).toContain("Porto");
  expect(memoryOf(who)).not.toContain("Lyon");
  dream(who, { lines: [...lines, ...noise(1), ...noise(2)], recalls: [] }, { day: day(1) });
  expect(memoryOf(who)).toContain("Porto");
  expect(memoryOf(who)).not.toContain("Lyon");
});

test.each([
  ["I live in Lyon", "I moved to Porto", "Porto", "Lyon"],
  ["I moved to Porto", "I live in Lyon", "Lyon", "Porto"],
])("of two wishes of one day (%j, %j) the later one stands", (first, second, kept, gone) => {
  const lines = [
    line(`remember that ${first}`, { at: 1000 }),
    line(`remember that ${second}`, { at: 2000 }),
  ];
  for (const model of [undefined, () => '{"operations":[]}']) {
    const who = dreamer();
    const state = dream(who, { lines, recalls: [] }, model ? { model } : {});
    expect(state.ready).toHaveLength(1);
    expect(memoryOf(who)).toContain(kept);
    expect(memoryOf(who)).not.toContain(gone);
  }
});

test("what is said later on the day of a run replaces what that run kept", () => {
  const who = dreamer();
  const lines = [line("remember that I live in Lyon", { at: 1000 })];
  dream(who, { lines, recalls: [] }, { mode: "manual" });
  dream(
    who,
    { lines: [...lines, line("I moved to Porto", { at: 2000 })], recalls: [] },
    { day: day(1) },
  );
  expect(memoryOf(who)).toContain("Porto");
  expect(memoryOf(who)).not.toContain("Lyon");
});

test("what a model calls an addition takes the place of what it replaces", () => {
  const who = dreamer();
  dream(
    who,
    { lines: [line("remember that I live in Lyon", { day: day(0) })], recalls: [] },
    { day: day(0) },
  );
  const model = () =>
    JSON.stringify({
      operations: [
        {
          action: "add",
          sources: ["C1"],
          text: "The owner moved to Porto",
          importance: 7,
          triggers: [],
        },
      ],
    });
  const state = dream(
    who,
    { lines: [line("I moved to Porto", { day: day(1) })], recalls: [] },
    { day: day(1), model },
  );
  expect(state.plan).toMatchObject({ mode: "model", changes: [{ type: "superseded" }] });
  expect(memoryOf(who)).toContain(
    "- The owner moved to Porto <!-- importance: 7 --> <!-- trigger: porto --> <!-- key: home -->",
  );
  expect(memoryOf(who)).not.toContain("Lyon");
});

test("an agent's note corrects nobody", () => {
  const who = dreamer();
  dream(
    who,
    { lines: [line("remember that I live in Lyon", { day: day(0) })], recalls: [] },
    { day: day(0) },
  );
  const note = line("The owner lives in Porto now", { trust: "agent", day: day(1) });
  dream(who, { lines: [note, ...noise(1)], recalls: [] }, { day: day(1) });
  expect(memoryOf(who)).toContain("Lyon");
});

test("what the owner wrote by hand is not replaced, whatever they say", () => {
  const who = dreamer("- I live in Lyon\n");
  dream(who, { lines: [line("remember that I moved to Porto")], recalls: [] });
  expect(memoryOf(who)).toContain("- I live in Lyon\n");
  expect(who.memory.slice(0, 1)).toEqual(curated("- I live in Lyon"));
});

describe("after an owner has changed their mind about what the file says", () => {
  const at = (time: string) => ({ at: Date.parse(`${today}T${time}:00Z`) });
  const first = line("remember: I prefer tea over coffee", { day: before(today, 1) });
  const known = () => {
    const who = dreamer();
    dream(who, { lines: [first], recalls: [] }, { day: before(today, 1) });
    return who;
  };

  test("what they went back to the same day stays, and the change does not come up again", () => {
    const who = known();
    const lines = [
      first,
      line("- 10:00 I prefer coffee over tea", at("10:00")),
      line("- 18:00 I prefer tea over coffee", at("18:00")),
    ];
    dream(who, { lines, recalls: [] });
    expect(memoryOf(who)).toContain("tea over coffee");
    const wish = line("remember that the garage code is 4711", { day: "2026-05-11" });
    dream(who, { lines: [...lines, wish], recalls: [] }, { day: "2026-05-11" });
    expect(memoryOf(who)).toContain("4711");
    expect(memoryOf(who)).not.toContain("coffee over tea");
  });

  test("an agent that repeats the file does not overrule them", () => {
    const who = known();
    const lines = [
      first,
      line("- 10:00 remember: I prefer coffee over tea", at("10:00")),
      line("- 18:00 I prefer tea over coffee", { ...at("18:00"), trust: "agent" }),
    ];
    dream(who, { lines, recalls: [] });
    expect(memoryOf(who)).toContain("coffee over tea");
    expect(memoryOf(who)).not.toContain("tea over coffee");
  });
});
