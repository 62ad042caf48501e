import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { telegramDoor } from "#test/harness/door.ts";
import { ageAll, editSessions } from "#test/harness/stored-session.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";

/** What becomes of a conversation after a month, as its owner sees it. */
let home: Assistant;
const day = 24 * 3_600_000;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

test("after a month older words are archived, and the whole is still exported and remembered", async () => {
  const door = telegramDoor(home);
  const [past, present, next] = [newWord(), newWord(), newWord()];
  await door.tell(past);
  await door.tell("/new");
  await door.tell(present);
  expect(await door.tell("/status")).not.toContain("archived");
  await home.meanwhile((directory) =>
    editSessions(directory, (session) => ageAll(session, 31 * day)),
  );
  await door.tell(next);
  // Once the answer is out and the memory has what it is owed; asked without a pause, it never rests.
  await eventually(async () => (await door.tell("/status")).includes("archived in 1 part"), {
    timeoutMs: 100_000,
    everyMs: 2_000,
  });
  const entries = (await door.exported()).slice(1).map((line) => JSON.stringify(line));
  expect(entries).toHaveLength(6);
  for (const [index, word] of [past, present, next].entries()) {
    expect(entries[2 * index]).toContain(word);
  }
  // What the next answer needs was never away.
  const last = newWord();
  await door.tell(last);
  const asked = JSON.stringify(home.model.asked(last));
  expect(asked).toContain(present);
  expect(asked).not.toContain(past);
});
