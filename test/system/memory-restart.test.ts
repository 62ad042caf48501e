import { afterEach, beforeEach, expect, test } from "vitest";
import type { Boundary } from "#test/doubles/double-server.ts";
import { Assistant } from "#test/harness/assistant.ts";
import { killAt } from "#test/harness/crash.ts";
import { MemorySide } from "#test/harness/memory-side.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";

/** A kill anywhere between a word that was said and the memory of it: nothing is lost, nothing twice. */
let home: Assistant;
let memory: MemorySide;

beforeEach(async () => {
  home = await Assistant.start();
  memory = new MemorySide(home);
});

afterEach(() => home.stop());

const times = (text: string, part: string) => text.split(part).length - 1;

test("killed as soon as the answer is out, what was told is noted once and found", async () => {
  const ada = home.telegram.owner();
  const city = newWord();
  const killed = killAt(
    home.runtime,
    home.telegram.server,
    ({ phase, request }) => phase === "replied" && request.path.endsWith("/sendMessage"),
  );
  await ada.say(`I live in ${city}`).catch(() => {});
  await killed;
  await home.runtime.restart();
  await memory.finds(city, `I live in ${city}`);
  expect(times(await memory.notes(), `"I live in ${city}"`)).toBe(1);
});

test("killed as soon as it is noted, it is found and was noted once", async () => {
  const ada = home.telegram.owner();
  const city = newWord();
  await ada.say(`I live in ${city}`);
  await eventually(async () => (await memory.notes()).includes(city), { timeoutMs: 30_000 });
  await home.runtime.kill();
  await home.runtime.restart();
  await memory.finds(city, `I live in ${city}`);
  // And again, when the index has it and the conversation may still believe that it owes it.
  await home.restart();
  const bea = home.telegram.owner();
  await memory.asks(bea, "hello");
  await memory.finds(city, `I live in ${city}`);
  expect(times(await memory.notes(), `"I live in ${city}"`)).toBe(1);
});

/** Places in a night at which it meets the world outside. */
const isDreamRequest = ({ request }: Boundary) => request.text.includes("You keep the long-term");
const places: readonly (readonly [string, (boundary: Boundary) => boolean])[] = [
  ["when its model is asked", (at) => isDreamRequest(at) && at.phase === "received"],
  ["when its model has answered", (at) => isDreamRequest(at) && at.phase === "replied"],
];

test.each(places)("a night that is killed %s ends as one", async (_name, place) => {
  const ada = home.telegram.owner();
  const boat = newWord();
  await ada.say(`remember that my boat is called ${boat}`);
  await ada.hears("ok");
  const killed = killAt(home.runtime, home.model.server, place);
  await memory.command("/dreaming run").catch(() => {});
  await killed;
  await home.runtime.restart();
  await expectOneNight(boat);
});

test("a night that is killed at once, again and again, ends as one", async () => {
  const ada = home.telegram.owner();
  const boat = newWord();
  await ada.say(`remember that my boat is called ${boat}`);
  await ada.hears("ok");
  await memory.command("/dreaming run");
  for (let time = 0; time < 4; time += 1) {
    await home.runtime.kill();
    await home.runtime.restart();
    // Whatever wakes the object: the time it gets before the next kill differs from run to run.
    await memory.command("/dreaming");
  }
  await expectOneNight(boat);
});

async function expectOneNight(boat: string): Promise<void> {
  const told = await memory.dreamt(0);
  expect(told).toContain("Changed MEMORY.md: 1 added");
  expect(told).not.toContain("Before:");
  expect(times(await memory.file("MEMORY.md"), `called ${boat}`)).toBe(1);
  const dreams = await memory.file("DREAMS.md");
  expect([times(dreams, "### Added"), times(dreams, "## 20")]).toEqual([1, 1]);
  const another = await memory.dream();
  expect(another).toContain("Not dreamt");
  expect(times(await memory.file("MEMORY.md"), `called ${boat}`)).toBe(1);
}
