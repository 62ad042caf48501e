import { expect, onTestFinished, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { isLookUp, MemorySide } from "#test/harness/memory-side.ts";
import { eventually } from "#test/harness/wait.ts";

/**
 * What somebody told the assistant once is known afterwards: in other conversations, on other channels,
 * before any night by being looked for, after one by itself.
 */
const WISH = "remember that I'm allergic to peanuts";

async function start(): Promise<{ home: Assistant; memory: MemorySide }> {
  const home = await Assistant.start();
  onTestFinished(() => home.stop());
  return { home, memory: new MemorySide(home) };
}

/** What a model does with the wish: keeps it with its tool, or only says that it will. */
const models = {
  "and a model that keeps it": {
    toolCalls: [{ name: "memory_write", arguments: { text: "Allergic to peanuts" } }],
  },
  "and a model that only promises to": { text: "I will." },
};

test.each(Object.entries(models))("a wish to remember, %s", async (_name, step) => {
  const { home, memory } = await start();
  const ada = home.telegram.owner();
  home.model.when(WISH, step, { text: "I will." });
  await ada.say(WISH);
  await ada.hears("I will.");

  // Before any night: who searches finds it, and so does the search before an answer.
  expect(await memory.finds("peanuts", "I'm allergic to peanuts")).toContain("memory/");
  const bea = home.telegram.owner();
  const [lookUp, own] = await memory.asks(bea, "do you remember what I am allergic to?");
  expect(isLookUp(lookUp!)).toBe(true);
  expect(lookUp?.userText).toContain("allergic to peanuts");
  expect(isLookUp(own!)).toBe(false);
  expect(own?.system).not.toContain("peanuts");

  const told = await memory.dream();
  expect(told).toContain("Changed MEMORY.md: 1 added");
  const file = await memory.file("MEMORY.md");
  expect(file.match(/allergic to peanuts/gi)).toHaveLength(1);
  expect(file).toMatch(/from: .*\bmemory\/\d{4}-\d\d-\d\d\.md#/);

  // Afterwards: in any conversation of theirs, whatever the words.
  const { user, im } = home.slack.owner();
  await home.slack.say({ user, channel: im, text: "can I eat satay sauce?" });
  await home.slack.shows({ channel: im }, "ok");
  expect(home.model.asked("satay")[0]?.system).toContain("allergic to peanuts");
  await home.api.chat("any food allergies?", { user: "phone" });
  expect(home.model.asked("food allergies")[0]?.system).toContain("allergic to peanuts");
  // `/memory why peanuts` and forgetting it go on from here.
});

test("the wish of another language is kept in its own words", async () => {
  const { home, memory } = await start();
  const ada = home.telegram.owner();
  await ada.say("记住我对花生过敏");
  await ada.hears("ok");
  await memory.finds("花生", "我对花生过敏");
  await memory.dream();
  expect(await memory.file("MEMORY.md")).toContain("我对花生过敏");
});

test("what changed meanwhile takes the place of what was known, after the next night", async () => {
  const { home, memory } = await start();
  const ada = home.telegram.owner();
  await ada.say("remember that I live in Delft");
  await ada.hears("ok");
  await memory.dream();
  expect(await memory.file("MEMORY.md")).toContain("I live in Delft");
  await ada.say("I moved to Utrecht");
  await eventually(() => ada.sees.length === 2, { timeoutMs: 30_000 });
  expect(await memory.dream()).toContain("superseded");
  const file = await memory.file("MEMORY.md");
  expect(file).toContain("I moved to Utrecht");
  expect(file).not.toContain("Delft");
});

test("what MEMORY.md was before can be looked at and brought back", async () => {
  const { home, memory } = await start();
  const ada = home.telegram.owner();
  await memory.asks(ada, "remember that my boat is called Perl.");
  await memory.finds("boat", "Perl");
  expect(await memory.command("/memory versions")).toContain("Nothing is kept of `MEMORY.md`");
  await memory.dream();
  expect(await memory.file("MEMORY.md")).toContain("Perl");

  const [, name = ""] = /- `([0-9a-f]{6})` since/.exec(await memory.command("/memory versions"))!;
  const before = await memory.command(`/memory versions MEMORY.md ${name}`);
  expect(before).toContain(`/memory restore MEMORY.md ${name}`);
  expect(before).not.toContain("Perl");
  expect(await memory.command("/memory restore MEMORY.md 000000")).toContain("no version `000000`");
  expect(await memory.command(`/memory restore MEMORY.md ${name}`)).toContain(
    "is again what it was",
  );
  expect(await memory.file("MEMORY.md")).not.toContain("Perl");
  expect((await memory.command("/memory versions")).match(/^- `/gm)).toHaveLength(2);
});
