import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { createLatch } from "#test/harness/latch.ts";
import type { TelegramPerson } from "#test/harness/telegram-side.ts";
import { slowPhoto } from "#test/harness/slow-photo.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";

/** Parts of an album that come when the album has been stopped already, and files of a second try. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

async function stopAgain(person: TelegramPerson): Promise<void> {
  await person.say("/stop");
  await eventually(() => person.sees.filter((text) => text.includes("Stopped")).length === 2);
}

test.each(["/again", "something else"])(
  "a part of an album that comes after /stop belongs to what was stopped: then %s",
  async (then) => {
    const ada = home.telegram.owner();
    const [word, late, answer] = [newWord(), newWord(), newWord()];
    const album = { media_group_id: newWord() };
    const open = createLatch();
    open.open();
    await ada.send({ ...slowPhoto(home, open), caption: word, ...album });
    await ada.say("/stop");
    await ada.hears("kept unanswered");
    await ada.send({ ...slowPhoto(home, open), caption: late, ...album });
    const asked = then === "/again" ? late : newWord();
    home.model.when(asked, { text: answer });
    await ada.say(then === "/again" ? then : asked);
    await ada.hears(answer);
    const calls = home.model.asked(asked);
    expect(calls).toHaveLength(1);
    const media = calls[0]!.messages.flatMap((one) => one.media);
    expect(media).toHaveLength(then === "/again" ? 2 : 0);
    for (const words of [word, late]) expect(JSON.stringify(calls[0]!.messages)).toContain(words);
    expect(home.turns(home.directKey(ada.id)).map(({ status }) => status)).toEqual([
      "aborted",
      "done",
    ]);
  },
);

test("a part of an album that comes after its second try was stopped keeps its words", async () => {
  const ada = home.telegram.owner();
  const [word, late, answer] = [newWord(), newWord(), newWord()];
  const album = { media_group_id: newWord() };
  const [shut, open] = [createLatch(), createLatch()];
  open.open();
  await ada.send({ ...slowPhoto(home, shut), caption: word, ...album });
  await ada.say("/stop");
  await ada.hears("kept unanswered");
  await ada.say("/again");
  await shut.reached;
  await stopAgain(ada);
  shut.open();
  await ada.send({ ...slowPhoto(home, open), caption: late, ...album });
  home.model.when(late, { text: answer });
  await ada.say("/again");
  await ada.hears(answer);
  const { messages } = home.model.asked(late).at(-1)!;
  expect(messages.flatMap((one) => one.media)).toHaveLength(2);
  for (const words of [word, late]) {
    expect(JSON.stringify(messages).split(words)).toHaveLength(2);
  }
});

test("a part of an album that was stopped while it was answered is read by /again, the others once", async () => {
  const ada = home.telegram.owner();
  const [word, late, later, answer] = [newWord(), newWord(), newWord(), newWord()];
  const album = { media_group_id: newWord() };
  const [open, asked] = [createLatch(), createLatch()];
  open.open();
  const unanswered = async () => {
    await asked.pass();
    return { text: "too late" };
  };
  home.model.when(word, unanswered);
  await ada.send({ ...slowPhoto(home, open), caption: word, ...album });
  await asked.reached;
  await ada.say("/stop");
  await ada.hears("Stopped");
  asked.open();
  await ada.send({ ...slowPhoto(home, open), caption: late, ...album });
  const again = createLatch();
  home.model.when(late, async () => {
    await again.pass();
    return { text: "too late" };
  });
  await ada.say("/again");
  await again.reached;
  await stopAgain(ada);
  again.open();
  await ada.send({ ...slowPhoto(home, open), caption: later, ...album });
  home.model.when(later, { text: answer });
  await ada.say("/again");
  await ada.hears(answer);
  const { messages } = home.model.asked(later).at(-1)!;
  expect(messages.flatMap((one) => one.media)).toHaveLength(3);
  const lines = messages.flatMap(({ text }) => text.split("\n"));
  for (const words of [word, late, later]) {
    expect(lines.filter((line) => line === words)).toHaveLength(1);
    expect(lines.filter((line) => line.includes(`with the words: ${words}`))).toHaveLength(1);
  }
  const statuses = home.turns(home.directKey(ada.id)).map(({ status }) => status);
  expect(statuses).toEqual(["aborted", "aborted", "done"]);
});

test("a part of a stopped album that comes in a new conversation is answered there", async () => {
  const ada = home.telegram.owner();
  const [word, late, answer] = [newWord(), newWord(), newWord()];
  const album = { media_group_id: newWord() };
  const open = createLatch();
  open.open();
  await ada.send({ ...slowPhoto(home, open), caption: word, ...album });
  await ada.say("/stop");
  await ada.hears("kept unanswered");
  await ada.say("/new");
  await ada.hears("New conversation");
  home.model.when(late, { text: answer });
  await ada.send({ ...slowPhoto(home, open), caption: late, ...album });
  await ada.hears(answer);
  expect(JSON.stringify(home.model.asked(late).at(-1)!.messages)).not.toContain(word);
});

test("a second try that a message interrupts while it reads files says the words once, and reads them", async () => {
  const ada = home.telegram.owner();
  const [word, next, answer] = [newWord(), newWord(), newWord()];
  const [first, second] = [createLatch(), createLatch()];
  const latches = [first, second];
  await ada.say("/queue interrupt");
  await ada.hears("interrupt");
  const photo = slowPhoto(home, { ...first, pass: async () => await latches.shift()?.pass() });
  await ada.send({ ...photo, caption: word });
  await first.reached;
  await ada.say("/stop");
  await ada.hears("Stopped");
  await ada.say("/again");
  await second.reached;
  home.model.when(next, { text: answer });
  await ada.say(next);
  await ada.hears(answer);
  first.open();
  second.open();
  const { messages } = home.model.asked(next).at(-1)!;
  expect(messages.flatMap((one) => one.media)).toHaveLength(1);
  expect(JSON.stringify(messages).split(word)).toHaveLength(2);
});
