import { afterAll, beforeAll, expect, test } from "vitest";
import type { TelegramPerson } from "#test/harness/telegram-side.ts";
import { Assistant } from "#test/harness/assistant.ts";
import { breakStorage, storage } from "#test/harness/broken-storage.ts";
import { eventually } from "#test/harness/wait.ts";
import { newNumber, newWord } from "#test/harness/words.ts";

/** A group that becomes a supergroup gets another id, and stays the same conversation. */
let home: Assistant;

/** Named in the configuration by the ids they had at first, and served by an agent of their own. */
const groups = Array.from({ length: 9 }, () => -newNumber(7));
let handedOut = 0;

beforeAll(async () => {
  home = await Assistant.start({
    config: {
      agents: { list: [{ id: "club" }] },
      bindings: groups.map((peer) => ({ agent: "club", match: { channel: "telegram", peer } })),
      channels: { telegram: { groups: { allow: groups, requireMention: false } } },
    },
  });
});

afterAll(async () => {
  await home.stop();
});

interface Group {
  readonly before: number;
  readonly after: number;
  /** A guest, who is admitted only because the group is. */
  readonly member: TelegramPerson;
}

function newGroup(): Group {
  const before = groups[handedOut++]!;
  home.telegram.group({ id: before });
  return { before, after: home.telegram.group(), member: home.telegram.person() };
}

async function ask(member: TelegramPerson, group: number): Promise<string> {
  const [word, answer] = [newWord(), newWord()];
  home.model.when(word, { text: answer });
  await member.say(word, { in: group });
  await home.telegram.shows(group, answer);
  return word;
}

function upgrade({ before, after, member }: Group) {
  const left = member.compose({ migrate_to_chat_id: after }, { in: before }).update;
  const joined = member.compose({ migrate_from_chat_id: before }, { in: after }).update;
  return { left, joined };
}

/** What a message in the new chat is asked together with. */
async function knownAfter({ after, member }: Group): Promise<string> {
  const word = await ask(member, after);
  return JSON.stringify(home.model.lastAsked(word));
}

test.each(["left", "joined"] as const)(
  "goes on as the same conversation, with its agent and its guests, after the notice of who %s",
  async (first) => {
    const group = newGroup();
    const word = await ask(group.member, group.before);
    const notices = upgrade(group);
    await home.telegram.push(notices[first]);
    expect(await knownAfter(group)).toContain(word);

    await home.telegram.push(first === "left" ? notices.joined : notices.left);
    await home.telegram.push(notices[first]);
    await home.restart();
    expect(await knownAfter(group)).toContain(word);
    const sessions = await home.api.sessions("club");
    expect(sessions).toContain(`agent:club:telegram:group:${group.before}`);
    expect(sessions.filter((key) => key.includes(String(group.after)))).toEqual([]);
  },
);

test("is asked for again, not answered by another agent, while the database that knows of it is broken", async () => {
  const group = newGroup();
  const ada = home.telegram.owner();
  const word = await ask(group.member, group.before);
  await home.telegram.push(upgrade(group).joined);
  let mend = () => {};
  await home.meanwhile((directory) => {
    mend = breakStorage(directory, [storage.database]);
  });
  // Direct chats do not move: they are served all the same.
  await ask(ada, ada.id);
  const [early, answer] = [newWord(), newWord()];
  home.model.when(early, { text: answer });
  const refused = group.member.compose({ text: early }, { in: group.after }).update;
  await expect(home.telegram.push(refused)).rejects.toThrow("500");

  await home.meanwhile(() => mend());
  await home.telegram.push(refused);
  await home.telegram.shows(group.after, answer);
  await home.telegram.push(refused);
  expect(await knownAfter(group)).toContain(word);
  expect(home.telegram.visible(group.after).filter((text) => text === answer)).toHaveLength(1);
});

test("is known under its new id when only a send has found out", async () => {
  const group = newGroup();
  const { before, after, member } = group;
  const [word, answer] = [newWord(), newWord()];
  home.model.when(word, { text: answer });
  home.telegram.server.fail("sendMessage", { kind: "migrated", to: after });
  await member.say(word, { in: before });
  await home.telegram.shows(after, answer);
  await eventually(() =>
    home.events("conversation.moved").some(({ session }) => String(session).endsWith(`${before}`)),
  );
  expect(await knownAfter(group)).toContain(word);
});

test("answers under its new id what was asked under the old one", async () => {
  const group = newGroup();
  const { before, after } = group;
  const member = home.telegram.owner();
  const [word, question, reply, thanks] = [newWord(), newWord(), newWord(), newWord()];
  home.model.when(
    word,
    { toolCalls: [{ name: "ask_user", arguments: { question } }] },
    { text: thanks },
  );
  await member.say(word, { in: before });
  await home.telegram.shows(before, question);
  await home.telegram.push(upgrade(group).joined);
  await member.say(reply, { in: after });
  await home.telegram.shows(after, thanks);
  expect(JSON.stringify(home.model.lastAsked(word))).toContain(reply);
});

test("that had a conversation under the new id before the news came, keeps that one", async () => {
  const { before, after } = newGroup();
  const ada = home.telegram.owner();
  await ask(ada, before);
  const [word, question, reply, thanks] = [newWord(), newWord(), newWord(), newWord()];
  home.model.when(
    word,
    { toolCalls: [{ name: "ask_user", arguments: { question } }] },
    { text: thanks },
  );
  const asked = await ada.say(word, { in: after });
  await home.telegram.shows(after, question);
  await home.telegram.push(upgrade({ before, after, member: ada }).joined);
  await home.telegram.push(asked.update);
  await ada.say(reply, { in: after });
  await home.telegram.shows(after, thanks);
  expect(home.telegram.visible(after).filter((text) => text.includes(question))).toHaveLength(1);
});
