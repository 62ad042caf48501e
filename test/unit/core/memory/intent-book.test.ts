import { expect, test } from "vitest";
import type { Intent } from "#contract/intent.ts";
import { memoryIntents } from "#test/doubles/intents.ts";

const DAY = 86_400_000;

function world() {
  const clock = { time: 1_900_000_000_000 };
  return { book: memoryIntents(() => clock.time), clock };
}

const lisbon = { when: "Lisbon comes up", action: "mention the tram", keywords: [] };

async function armed(book: ReturnType<typeof world>["book"], key = "k1"): Promise<Intent> {
  const receipt = await book.create(lisbon, key);
  if (!receipt.ok) throw new Error(receipt.reason);
  return receipt.intent;
}

test("one intent per key, however often it is asked for", async () => {
  const { book } = world();
  const first = await armed(book);
  expect(await armed(book)).toEqual(first);
  expect(await book.list()).toEqual([first]);
  expect((await armed(book, "k2")).id).not.toBe(first.id);
});

test("coming up counts once per turn", async () => {
  const { book, clock } = world();
  const { id } = await armed(book);
  expect((await book.fire([id], "t1"))[0]?.fires).toBe(1);
  expect((await book.fire([id], "t1"))[0]?.fires).toBe(1);
  expect(await book.fire([id], "t2")).toEqual([]);
  clock.time += DAY;
  expect((await book.fire([id], "t2"))[0]?.fires).toBe(2);
});

test("cancelled stays cancelled", async () => {
  const { book } = world();
  const { id } = await armed(book);
  expect((await book.close(id, "cancelled")).ok).toBe(true);
  expect((await book.close(id, "cancelled")).ok).toBe(true);
  expect((await book.close(id, "done")).ok).toBe(false);
  expect(await book.fire([id], "t1")).toEqual([]);
  expect(book.armed()).toEqual([]);
});

test("what has expired is closed when it is looked at", async () => {
  const { book, clock } = world();
  await armed(book);
  clock.time += 90 * DAY;
  expect(book.armed()).toEqual([]);
  expect((await book.list()).map(({ status }) => status)).toEqual(["expired"]);
});

test("there is an end to how many can be armed", async () => {
  const { book } = world();
  for (let index = 0; index < 50; index += 1) await armed(book, `k${index}`);
  const refused = await book.create(lisbon, "one more");
  expect(refused.ok).toBe(false);
});
