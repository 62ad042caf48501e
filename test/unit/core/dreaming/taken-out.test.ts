import { beforeEach, expect, test } from "vitest";
import { Chat } from "#test/doubles/whole-memory-chat.ts";
import { WholeMemory } from "#test/doubles/whole-memory.ts";

/** What the owner takes out of MEMORY.md stays out of it, whatever else still says it. */
const hour = 3_600_000;
const wish = "remember that I am allergic to peanuts";

let memory: WholeMemory;
let chat: Chat;
beforeEach(async () => {
  memory = new WholeMemory();
  chat = new Chat(memory);
  await memory.bootstrap();
  memory.time += hour;
});

const curated = () => memory.text("MEMORY.md");
const later = (hours: number) => void (memory.time += hours * hour);
const withoutPeanuts = (text: string) =>
  text
    .split("\n")
    .filter((line) => !line.includes("peanuts"))
    .join("\n");

/** Another fact makes the night one that is worth its while. */
async function nextNight(number: number): Promise<void> {
  later(12);
  await chat.say({ text: `remember that door ${number} opens with code ${number}${number}` });
  later(12);
  await memory.night();
  expect(curated()).toContain(`door ${number}`);
}

async function restoreFirst(): Promise<void> {
  const { versions } = memory.files;
  const id = (await versions.list("MEMORY.md")).at(-1)?.id ?? "";
  const restored = await versions.restore({ operationId: "restore", path: "MEMORY.md", id });
  expect(restored).toMatchObject({ ok: true });
}

test("a line of a night's that was deleted comes back only when the owner says it again", async () => {
  await chat.say({ text: wish });
  await nextNight(1);
  expect(curated()).toContain("peanuts");
  later(1);
  memory.editOutside("MEMORY.md", withoutPeanuts);
  later(1);
  // The agent says so of its own accord.
  const note = { text: "I am allergic to peanuts", target: "note" };
  expect(await chat.have({ tool: "memory_write", input: note })).toBe(true);
  await nextNight(2);
  expect(curated()).not.toContain("peanuts");

  await chat.say({ text: wish });
  await nextNight(3);
  expect(curated()).toContain("peanuts");
});

test("a line the owner wrote by hand and deleted is not made again from what was said before", async () => {
  memory.editOutside("MEMORY.md", (text) => `${text}\nI am allergic to peanuts\n`);
  await chat.say({ text: wish });
  await nextNight(1);
  expect(curated().match(/peanuts/g)).toHaveLength(1);
  later(1);
  memory.editOutside("MEMORY.md", withoutPeanuts);
  await nextNight(2);
  expect(curated()).not.toContain("peanuts");
  await nextNight(3);
  expect(curated()).not.toContain("peanuts");
});

test("a line that came and went on the same day, by a version brought back, stays away", async () => {
  const have = (line: string) =>
    chat.have({
      tool: "write",
      input: { path: "MEMORY.md", text: `- ${line}\n`, mode: "append" },
    });
  expect(await have("Prefers green ink")).toBe(true);
  await chat.say({ text: wish });
  expect(await have("I am allergic to peanuts")).toBe(true);
  expect(curated()).toContain("peanuts");
  later(1);
  await restoreFirst();
  expect(curated()).not.toContain("peanuts");
  await nextNight(1);
  expect(curated()).not.toContain("peanuts");
});

test("what a night replaces is not taken out by the owner, and may become true again", async () => {
  await chat.say({ text: "remember that I live in Lyon" });
  await nextNight(1);
  await chat.say({ text: "I live in Porto" });
  await nextNight(2);
  await chat.say({ text: "I live in Lyon" });
  await nextNight(3);
  expect(curated()).toContain("I live in Lyon");
  expect(curated()).not.toContain("Porto");
  expect(memory.dreams.record().takenOut).toEqual([]);
});
