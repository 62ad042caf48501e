import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelCall, ScriptedCall } from "#test/doubles/model-script.ts";
import { Assistant } from "#test/harness/assistant.ts";
import type { TelegramPerson } from "#test/harness/telegram-side.ts";
import { newNumber, newWord } from "#test/harness/words.ts";

/** Who may do what, and what reaches whom: owners, guests, groups, agents, and the files they share. */
const guestId = newNumber(10);
const servedGroup = -newNumber(10);
const boundGroup = -newNumber(10);
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start({
    config: {
      agents: { list: [{ id: "second", name: "Second" }] },
      bindings: [{ agent: "second", match: { channel: "telegram", peer: boundGroup } }],
      channels: {
        telegram: {
          dmPolicy: "allowlist",
          allowFrom: [guestId],
          groups: { allow: [servedGroup, boundGroup] },
        },
      },
    },
  });
  for (const id of [servedGroup, boundGroup]) home.telegram.group({ id });
});

afterAll(async () => {
  expect(home.model.server.refusals).toEqual([]);
  await home.stop();
});

/** Has the model call one tool in answer to a message, and gives the result it got. */
async function use(person: TelegramPerson, call: ScriptedCall, where = person.id): Promise<string> {
  const word = newWord();
  home.model.when(word, { toolCalls: [call] }, { text: `done ${word}` });
  const text = where === person.id ? word : `@sample_helper_bot ${word}`;
  await person.say(text, { in: where });
  await home.telegram.shows(where, `done ${word}`);
  return home.model.asked(word).at(-1)?.messages.at(-1)?.toolResults[0]?.text ?? "";
}

function write(path: string, text: string): ScriptedCall {
  return { name: "write", arguments: { path, text } };
}

/** Says something and gives the request that the model was sent for it. */
async function requestFor(person: TelegramPerson, where = person.id): Promise<ModelCall> {
  const word = newWord();
  home.model.when(word, { text: `heard ${word}` });
  await person.say(where === person.id ? word : `@sample_helper_bot ${word}`, { in: where });
  await home.telegram.shows(where, `heard ${word}`);
  return home.model.asked(word)[0]!;
}

const workspaceTools = ["read", "write", "edit", "ls", "grep"];

describe("an owner's files", () => {
  test("are in the owner's prompt and tools, not in a guest's, not in a group's", async () => {
    const ada = home.telegram.owner();
    const guest = home.telegram.person(guestId);
    const [fact, wish] = [newWord(), newWord()];
    expect(await use(ada, write("MEMORY.md", `- ${fact}`))).toContain("MEMORY.md");
    expect(await use(ada, write("USER.md", `- ${wish}`))).toContain("USER.md");

    const own = await requestFor(ada);
    expect(own.system).toContain(fact);
    expect(own.system).toContain(wish);
    expect(own.tools).toEqual(expect.arrayContaining([...workspaceTools, "message", "ask_user"]));

    const member = home.telegram.person();
    const others = [
      await requestFor(guest),
      await requestFor(ada, servedGroup),
      await requestFor(member, servedGroup),
    ];
    for (const call of others) {
      expect(JSON.stringify(call.body)).not.toContain(fact);
      expect(JSON.stringify(call.body)).not.toContain(wish);
      expect(call.system).toContain("# AGENTS.md");
      expect(call.tools.filter((name) => workspaceTools.includes(name))).toEqual([]);
    }
    expect(others[0]?.tools).toEqual(["stay_silent"]);
    expect(others[0]?.system).toContain("not the owner");
    expect(own.system).not.toContain("not the owner");
  });

  test("are not there for a guest whose model asks for them all the same", async () => {
    const ada = home.telegram.owner();
    const guest = home.telegram.person(guestId);
    const [fact, path] = [newWord(), `${newWord()}.md`];
    await use(ada, write(path, fact));
    for (const name of ["read", "write", "message", "session_status"]) {
      const result = await use(guest, { name, arguments: { path, text: "x" } });
      expect(result).toContain(`no tool named "${name}"`);
      expect(result).not.toContain(fact);
    }
    expect(await use(ada, { name: "read", arguments: { path } })).toBe(fact);
    expect(await use(ada, { name: "read", arguments: { path } }, servedGroup)).toContain(
      "no tool named",
    );
  });

  test.each(["MEMORY.md", "USER.md", "SOUL.md", "AGENTS.md", "skills/x/SKILL.md"])(
    "%s changes in a clean turn of the owner, not with foreign words in the window",
    async (path) => {
      const ada = home.telegram.owner();
      const eve = home.telegram.person();
      const [first, second, third] = [newWord(), newWord(), newWord()];
      expect(await use(ada, write(path, `- ${first}`))).toMatch(/^(Created|Changed)/);
      await ada.send({
        text: newWord(),
        forward_origin: { type: "user", sender_user: eve.from, date: 1 },
      });
      await ada.hears("ok");
      for (const change of [
        write(path, `- ${second}`),
        { name: "write", arguments: { path, text: second, mode: "append" } },
        { name: "edit", arguments: { path, old_text: first, new_text: second } },
        write(path.toLowerCase(), second),
        write(`./${path}`, second),
      ]) {
        expect(await use(ada, change)).toMatch(
          /was not changed|not allowed|cannot|may not|refused/i,
        );
      }
      expect(await use(ada, { name: "read", arguments: { path } })).toBe(`- ${first}`);
      const today = `memory/${new Date().toISOString().slice(0, 10)}.md`;
      const append = {
        name: "write",
        arguments: { path: today, text: `- ${second}\n`, mode: "append" },
      };
      expect(await use(ada, append)).toMatch(/^(Created|Changed)/);
      expect(await use(ada, write(today, ""))).toContain("appended");

      await ada.say("/new");
      await ada.hears("New conversation");
      expect(await use(ada, write(path, `- ${third}`))).toContain("Changed");
    },
  );

  test("of what foreign words went into taint who reads them", async () => {
    const ada = home.telegram.owner();
    const eve = home.telegram.person();
    const path = `${newWord()}.md`;
    await ada.send({
      text: newWord(),
      forward_origin: { type: "user", sender_user: eve.from, date: 1 },
    });
    await ada.hears("ok");
    await use(ada, write(path, newWord()));
    await ada.say("/new");
    await ada.hears("New conversation");
    await use(ada, { name: "read", arguments: { path } });
    expect(await use(ada, write("SOUL.md", "- obey"))).toContain("was not changed");
  });

  test.each([
    "../main/workspace/MEMORY.md",
    "/etc/passwd",
    ".pagurus/ledger",
    "memory/%2e%2e/x",
    "memory\\..\\x",
    "a/../../b",
  ])("lie in the workspace alone: %s is refused", async (path) => {
    const ada = home.telegram.owner();
    expect(await use(ada, { name: "read", arguments: { path } })).not.toMatch(
      /^(Created|Changed|There is no file)/,
    );
    expect(await use(ada, write(path, "x"))).not.toMatch(/^(Created|Changed)/);
  });

  test("are made once: one that its owner deletes stays deleted", async () => {
    const ada = home.telegram.owner();
    await requestFor(ada);
    const folder = "agents/main/workspace/";
    const bucket = await home.runtime.bucket("FILES");
    const names = async () =>
      (await bucket.list({ prefix: folder })).objects.map(({ key }) => key.slice(folder.length));
    expect(await names()).toEqual(
      expect.arrayContaining([
        "AGENTS.md",
        "HEARTBEAT.md",
        "IDENTITY.md",
        "MEMORY.md",
        "SOUL.md",
        "USER.md",
      ]),
    );
    await bucket.delete(`${folder}IDENTITY.md`);
    await bucket.put(`${folder}SOUL.md`, "- Speaks like a gull.");
    await home.restart();
    const { system } = await requestFor(ada);
    expect(system).not.toContain("# IDENTITY.md");
    expect(system).toContain("Speaks like a gull.");
    const after = await (await home.runtime.bucket("FILES")).list({ prefix: folder });
    expect(after.objects.map(({ key }) => key)).not.toContain(`${folder}IDENTITY.md`);
  });
});

describe("a second agent", () => {
  test("has conversations, files and memory of its own", async () => {
    const ada = home.telegram.owner();
    const [fact, word] = [newWord(), newWord()];
    await use(ada, write("MEMORY.md", `- ${fact}`));
    const call = await requestFor(ada, boundGroup);
    expect(call.system).toContain("Agent: second");
    const mine = await home.api.sessions("second");
    expect(mine).toContain(`agent:second:telegram:group:${boundGroup}`);
    expect((await home.api.sessions()).filter((key) => key.includes(String(boundGroup)))).toEqual(
      [],
    );

    home.model.when(
      word,
      { toolCalls: [{ name: "read", arguments: { path: "MEMORY.md" } }] },
      { text: "done" },
    );
    const reply = await home.api.chat(word, { extra: { model: "pagurus/second" } });
    expect(reply.text).toBe("done");
    const seen = JSON.stringify(home.model.asked(word).at(-1)?.body);
    expect(seen).not.toContain(fact);
    expect(seen).toContain("Lasting facts");
    const session = {
      name: "message",
      arguments: { text: "x", session: `agent:second:telegram:group:${boundGroup}` },
    };
    expect(await use(ada, session)).toContain("No conversation");
  });
});

describe("a group", () => {
  test("hears nothing until the assistant is addressed, and then it knows what was said", async () => {
    const ada = home.telegram.owner();
    const bob = home.telegram.person();
    const [first, second, question] = [newWord(), newWord(), newWord()];
    await bob.say(`the ferry is ${first}`, { in: servedGroup });
    await ada.say(`and the bus ${second}`, { in: servedGroup });
    home.model.when(question, { text: `answer ${question}` });
    await ada.say(`@sample_helper_bot ${question}`, { in: servedGroup });
    await home.telegram.shows(servedGroup, `answer ${question}`);
    const [call, ...others] = home.model.told(first);
    expect(others).toEqual([]);
    const said = call?.messages.at(-1)?.text ?? "";
    const framed = (name: string, text: string) =>
      new RegExp(`${name}: <<<EXTERNAL_CONTENT \\w{16}>>>\n\\[overheard\\] ${text}\n<<<END`);
    expect(said).toMatch(framed(bob.name, `the ferry is ${first}`));
    expect(said).toMatch(framed(`${ada.name} \\(owner\\)`, `and the bus ${second}`));
    expect(said.indexOf(first)).toBeLessThan(said.indexOf(question));
  });

  test("addresses it by a reply to its words as well", async () => {
    const ada = home.telegram.owner();
    const word = newWord();
    const bot = { id: home.telegram.server.bot.id, is_bot: true, first_name: "Helper" };
    home.model.when(word, { text: `heard ${word}` });
    await ada.say(word, {
      in: servedGroup,
      extra: { reply_to_message: { message_id: 5, from: bot, text: "earlier" } },
    });
    await home.telegram.shows(servedGroup, `heard ${word}`);
  });

  test("that is not served has no turn for strangers, and one for its owner", async () => {
    const ada = home.telegram.owner();
    const bob = home.telegram.person();
    const group = home.telegram.group();
    const [first, second] = [newWord(), newWord()];
    await bob.say(`@sample_helper_bot ${first}`, { in: group });
    home.model.when(second, { text: `heard ${second}` });
    await ada.say(`@sample_helper_bot ${second}`, { in: group });
    await home.telegram.shows(group, `heard ${second}`);
    expect(home.model.told(first)).toEqual([]);
    expect(home.telegram.visible(group)).toHaveLength(1);
  });

  test("keeps the rights of its people apart: a guest's words do not ride on an owner's turn", async () => {
    const ada = home.telegram.owner();
    const bob = home.telegram.person();
    const [first, second] = [newWord(), newWord()];
    home.model.when(first, { text: `heard ${first}` });
    home.model.when(second, { text: `heard ${second}` });
    await Promise.all([
      bob.say(`@sample_helper_bot ${first}`, { in: servedGroup }),
      ada.say(`@sample_helper_bot ${second}`, { in: servedGroup }),
    ]);
    await home.telegram.shows(servedGroup, `heard ${first}`);
    await home.telegram.shows(servedGroup, `heard ${second}`);
    const guests = home.model.asked(first).at(-1);
    expect(guests?.system).toContain("not the owner");
    expect(guests?.tools).toEqual(["stay_silent"]);
  });
});
