import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { createLatch } from "#test/harness/latch.ts";
import { eventually } from "#test/harness/wait.ts";
import { newName, newWord } from "#test/harness/words.ts";

/** A message's way from Telegram's webhook to the model and back into the chat, over the whole Worker. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

interface SendCall {
  readonly chat_id: string;
  readonly text: string;
  readonly parse_mode?: string;
  readonly message_thread_id?: number;
  /** When it came in. */
  readonly at: number;
}

/** Requests for sendMessage to a chat, answered or refused. */
function sendCalls(chat: number): SendCall[] {
  const calls = home.telegram.server.calls("sendMessage");
  const bodies = calls.map(({ json, at }) => ({ ...(json as Omit<SendCall, "at">), at }));
  return bodies.filter((call) => Number(call.chat_id) === chat);
}

// B01
test("an update that is delivered again is answered once, over a restart too", async () => {
  const ada = home.telegram.owner();
  const [word, answer, next] = [newWord(), newWord(), newWord()];
  home.model.when(word, { text: answer });
  const said = await ada.say(word);
  await ada.hears(answer);
  await home.telegram.push(said.update);
  await ada.say(word, { updateId: said.updateId });
  await ada.say(word, { messageId: said.messageId });
  await home.restart();
  await home.telegram.push(said.update);

  home.model.when(next, { text: "and on" });
  await ada.say(next);
  await ada.hears("and on");
  expect(home.telegram.sentTo(ada.id)).toEqual([answer, "and on"]);
  expect(home.model.asked(word)).toHaveLength(1);
  const entries = await home.api.history(home.directKey(ada.id), "user");
  expect(entries.filter((entry) => entry.includes(word))).toHaveLength(1);
});

// B02
test("the webhook is answered while the model still thinks", async () => {
  const ada = home.telegram.owner();
  const [word, answer] = [newWord(), newWord()];
  const latch = createLatch();
  home.model.when(word, async () => {
    await latch.pass();
    return { text: answer };
  });
  await ada.say(word);
  await latch.reached;
  expect(home.telegram.sentTo(ada.id)).toEqual([]);
  latch.open();
  await ada.hears(answer);
  expect(home.telegram.sentTo(ada.id)).toEqual([answer]);
});

// B02
test("a turn that fails later is one message in the chat", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  const latch = createLatch();
  home.model.when(word, async () => {
    await latch.pass();
    return { status: 401 };
  });
  await ada.say(word);
  await latch.reached;
  latch.open();
  await ada.hears("key");
  await ada.say("/whoami");
  await ada.hears("owner");
  expect(home.telegram.sentTo(ada.id)).toHaveLength(2);
  expect(home.model.asked(word)).toHaveLength(1);
});

// B03
test("a send whose outcome is unknown is not repeated, but said and shown on request", async () => {
  const ada = home.telegram.owner();
  const [word, answer] = [newWord(), newWord()];
  home.model.when(word, { text: answer });
  home.telegram.server.fail("sendMessage", { kind: "cut", applied: true });
  await ada.say(word);
  const notice = await ada.hears("may not have arrived");
  expect(notice.text).toContain("/again");
  expect(home.telegram.sentTo(ada.id)).toEqual([answer, notice.text]);

  const next = newWord();
  await ada.say("/again");
  await eventually(() => home.telegram.sentTo(ada.id).length === 3);
  await ada.say("/whoami");
  const { text: who } = await ada.hears("the owner");
  await ada.say("/again");
  await eventually(() => home.telegram.sentTo(ada.id).length === 5);
  home.model.when(next, { text: next });
  await ada.say(next);
  await ada.hears(next);
  expect(home.telegram.sentTo(ada.id)).toEqual([answer, notice.text, answer, who, answer, next]);
  expect(home.model.asked(word)).toHaveLength(1);
});

// B03
test("a send that was refused for its rate is repeated after the time that was asked for", async () => {
  const ada = home.telegram.owner();
  const [word, answer] = [newWord(), newWord()];
  home.model.when(word, { text: answer });
  home.telegram.server.fail("sendMessage", { kind: "tooManyRequests", retryAfter: 2 });
  await ada.say(word);
  await ada.hears(answer);
  const calls = sendCalls(ada.id);
  expect(calls).toHaveLength(2);
  expect(calls[1]!.at - calls[0]!.at).toBeGreaterThanOrEqual(2000);
  expect(home.telegram.sentTo(ada.id)).toEqual([answer]);
});

// B09
test("an answer with angle brackets survives, and mark-up Telegram cannot read goes out plain", async () => {
  const ada = home.telegram.owner();
  const [word, person, mail] = [newWord(), newName(), `${newWord()}@example.org`];
  home.model.when(word, { text: `From: **${person}** <${mail}> & co` });
  home.telegram.server.fail("sendMessage", { kind: "cannotParse" });
  await ada.say(word);
  await ada.hears(mail);
  const [first, second, ...others] = sendCalls(ada.id);
  expect(first?.text).toBe(`From: <b>${person}</b> &lt;${mail}&gt; &amp; co`);
  expect(first?.parse_mode).toBe("HTML");
  expect(second?.parse_mode).toBeUndefined();
  expect(second?.text).toContain(`<${mail}> & co`);
  expect(second?.text).not.toContain("&lt;");
  expect(others).toEqual([]);
});

// B09
test.each([{ kind: "blocked" }, { kind: "chatNotFound" }] as const)(
  "an answer refused with $kind is not sent again as plain text",
  async (failure) => {
    const ada = home.telegram.owner();
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer });
    home.telegram.server.fail("sendMessage", failure);
    await ada.say(word);
    await ada.hears("not accepted");
    expect(sendCalls(ada.id).filter(({ text }) => text.includes(answer))).toHaveLength(1);
  },
);

// B10
test("topics of a forum are conversations of their own, and General has no thread id", async () => {
  const ada = home.telegram.owner();
  const forum = home.telegram.group({ threads: [285] });
  const [general, topic] = [newWord(), newWord()];
  home.model.when(general, { text: `heard ${general}` });
  home.model.when(topic, { text: `heard ${topic}` });
  await ada.say(`@sample_helper_bot ${general}`, { in: forum, thread: 1 });
  await home.telegram.shows(forum, `heard ${general}`);
  await ada.say(`@sample_helper_bot ${topic}`, { in: forum, thread: 285 });
  await home.telegram.shows(forum, `heard ${topic}`);

  const [first, second] = sendCalls(forum);
  expect(first).not.toHaveProperty("message_thread_id");
  expect(second?.message_thread_id).toBe(285);
  const keys = (await home.api.sessions()).filter((key) => key.includes(String(forum)));
  expect(keys).toHaveLength(2);
});

// B11
test("an answer to a topic that is gone arrives once, outside it", async () => {
  const ada = home.telegram.owner();
  const forum = home.telegram.group({ threads: [285] });
  const [word, answer] = [newWord(), newWord()];
  home.model.when(word, { text: answer });
  home.telegram.server.fail("sendMessage", { kind: "threadNotFound" });
  await ada.say(`@sample_helper_bot ${word}`, { in: forum, thread: 285 });
  await home.telegram.shows(forum, answer);
  const calls = sendCalls(forum);
  expect(calls.map((call) => call.message_thread_id)).toEqual([285, undefined]);
  expect(home.telegram.visible(forum)).toEqual([answer]);
});

// B13
test("an album is one turn with its pictures in order and each caption at its picture", async () => {
  const ada = home.telegram.owner();
  const [before, after, answer] = [newWord(), newWord(), newWord()];
  home.model.when(before, { text: answer });
  const album = newWord();
  const parts = [undefined, before, after].map((caption, index) => {
    const id = `file-${album}-${index}`;
    const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, index]);
    home.telegram.server.files.set(id, { path: `photos/${id}.png`, bytes, mimeType: "image/png" });
    const photo = [{ file_id: id, file_unique_id: id, width: 9, height: 9 }];
    return { photo, media_group_id: album, ...(caption === undefined ? {} : { caption }) };
  });
  const base = 5_000;
  await ada.send(parts[0]!, { messageId: base + 2 });
  await ada.send(parts[1]!, { messageId: base + 1 });
  await ada.send(parts[2]!, { messageId: base + 3 });
  await ada.hears(answer);

  const calls = home.model.told(before);
  expect(calls).toHaveLength(1);
  const seen = calls[0]!.messages.at(-1);
  expect(seen?.media).toHaveLength(3);
  expect(seen?.text.indexOf(before)).toBeGreaterThanOrEqual(0);
  expect(seen?.text.indexOf(after)).toBeGreaterThan(seen!.text.indexOf(before));
  expect(seen?.text).toMatch(new RegExp(`image 1: ${before}`));
  expect(seen?.text).toMatch(new RegExp(`image 3: ${after}`));
  expect(home.telegram.sentTo(ada.id)).toEqual([answer]);
});

// B15
test("an edited message is nothing new, not even when it reads like a command", async () => {
  const ada = home.telegram.owner();
  const [word, next] = [newWord(), newWord()];
  const said = await ada.say(word);
  await ada.hears("ok");
  const edited = ada.compose({ text: "/new" }, { messageId: said.messageId });
  const { message, ...update } = edited.update;
  await home.telegram.push({ ...update, edited_message: { ...(message as object), edit_date: 1 } });

  home.model.when(next, { text: "second" });
  await ada.say(next);
  await ada.hears("second");
  expect(home.telegram.sentTo(ada.id)).toEqual(["ok", "second"]);
  expect(home.model.asked(next)[0]?.messages.some(({ text }) => text.includes(word))).toBe(true);
});

// B17
test("a stranger gets one notice in all, with their id as OWNERS takes it, and moves nothing, whatever is sent", async () => {
  const eve = home.telegram.person();
  const word = newWord();
  const photo = [{ file_id: `file-${word}`, file_unique_id: "u", width: 9, height: 9 }];
  home.telegram.server.files.set(`file-${word}`, { path: "p.png", bytes: new Uint8Array([1]) });
  await eve.say(word);
  await eve.send({ photo, caption: word });
  await eve.send({ voice: { file_id: `file-${word}`, file_unique_id: "u", duration: 1 } });
  await eve.say("/status");
  await eve.send({ text: word, forward_origin: { type: "user", sender_user: eve.from, date: 1 } });
  const chat = { id: eve.id, type: "private" };
  const { update: edit } = eve.compose({ text: word });
  await home.telegram.push({ update_id: edit["update_id"], edited_message: edit["message"] });
  await home.telegram.push({
    update_id: home.telegram.nextUpdateId(),
    callback_query: {
      id: "4382918273",
      from: eve.from,
      chat_instance: "-1",
      data: "approve:a1b2:once",
      message: { message_id: 3, date: 0, chat },
    },
  });

  const notice = await eve.hears("private assistant");
  expect(notice.text).toContain(`telegram:${eve.id}`);
  expect(notice.text).toContain("OWNERS");
  const ada = home.telegram.owner();
  await ada.say(newWord());
  await ada.hears("ok");
  expect(home.telegram.sentTo(eve.id)).toHaveLength(1);
  expect(home.model.told(word)).toEqual([]);
  expect(home.telegram.server.calls("getFile").filter(({ text }) => text.includes(word))).toEqual(
    [],
  );
  expect(home.telegram.server.requests.some(({ path }) => path.includes("/file/"))).toBe(true);
  expect(home.turns(home.directKey(eve.id))).toEqual([]);
});
