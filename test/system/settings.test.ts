import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Assistant } from "#test/harness/assistant.ts";
import { createLatch } from "#test/harness/latch.ts";
import type { TelegramPerson } from "#test/harness/telegram-side.ts";
import { newNumber, newWord } from "#test/harness/words.ts";

/** What the configuration document changes: who shares a conversation, when it begins anew, and what
 * a fault in it costs. The Worker is started anew for each document. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

/** Says something and gives the texts of the request that the model was sent for it. */
async function historyAfter(person: TelegramPerson): Promise<string> {
  const word = newWord();
  home.model.when(word, { text: `heard ${word}` });
  await person.say(word);
  await person.hears(`heard ${word}`);
  return JSON.stringify(home.model.asked(word)[0]?.messages);
}

async function historyAtSlack(owner: { user: string; im: string }): Promise<string> {
  const word = newWord();
  home.model.when(word, { text: `heard ${word}` });
  await home.slack.say({ user: owner.user, channel: owner.im, text: word });
  await home.slack.shows({ channel: owner.im }, `heard ${word}`);
  return JSON.stringify(home.model.asked(word)[0]?.messages);
}

describe("conversations of direct chats", () => {
  test("are one for each person and channel by default", async () => {
    const [ada, grace, slack] = [home.telegram.owner(), home.telegram.owner(), home.slack.owner()];
    const word = newWord();
    await ada.say(word);
    await ada.hears("ok");
    expect(await historyAfter(grace)).not.toContain(word);
    expect(await historyAtSlack(slack)).not.toContain(word);
    expect(await home.api.sessions()).toEqual(
      expect.arrayContaining([
        home.directKey(ada.id),
        home.directKey(grace.id),
        `agent:main:slack:direct:${slack.user.toLowerCase()}`,
      ]),
    );
  });

  // B28
  test("with dmScope main are one, and each answer goes where it was asked", async () => {
    const guest = home.telegram.person();
    const telegram = { dmPolicy: "allowlist", allowFrom: [guest.id] };
    await home.restart({ config: { session: { dmScope: "main" }, channels: { telegram } } });
    const [ada, slack] = [home.telegram.owner(), home.slack.owner()];
    const [first, second, third] = [newWord(), newWord(), newWord()];
    home.model.when(first, { text: `heard ${first}` });
    await ada.say(first);
    await ada.hears(`heard ${first}`);

    const latch = createLatch();
    home.model.when(second, async () => {
      await latch.pass();
      return { text: `heard ${second}` };
    });
    home.model.when(third, { text: `heard ${third}` });
    await home.slack.say({ user: slack.user, channel: slack.im, text: second });
    await latch.reached;
    await ada.say(third);
    latch.open();
    await home.slack.shows({ channel: slack.im }, `heard ${second}`);
    await ada.hears(`heard ${third}`);
    expect(ada.sees).toEqual([`heard ${first}`, `heard ${third}`]);
    expect(home.slack.visible(slack.im)).toEqual([`heard ${second}`]);
    const history = JSON.stringify(home.model.asked(third)[0]?.messages);
    for (const word of [first, second]) expect(history).toContain(word);
    expect(await home.api.sessions()).toContain("agent:main:main");
    expect(await historyAfter(guest)).not.toMatch(new RegExp(`${first}|${second}|${third}`));
  });

  test("with dmScope per-peer are one for each id", async () => {
    await home.restart({ config: { session: { dmScope: "per-peer" } } });
    const ada = home.telegram.owner();
    await historyAfter(ada);
    expect(await home.api.sessions()).toContain(`agent:main:direct:${ada.id}`);
  });

  test("of one person are one where they are linked, others are one for each account", async () => {
    const [ada, grace, slack] = [home.telegram.owner(), home.telegram.owner(), home.slack.owner()];
    const identityLinks = { ada: [`telegram:${ada.id}`, `slack:${slack.user}`] };
    const session = { dmScope: "per-account-channel-peer", identityLinks };
    await home.restart({ config: { session } });
    const word = newWord();
    await ada.say(word);
    await ada.hears("ok");
    expect(await historyAtSlack(slack)).toContain(word);
    expect(await historyAfter(grace)).not.toContain(word);
    const keys = await home.api.sessions();
    expect(keys).toContain("agent:main:direct:linked:ada");
    expect(keys).toContain(`agent:main:telegram:default:direct:${grace.id}`);
  });
});

test("a conversation begins anew when its time is over, if that is set, and the old one is kept", async () => {
  const direct = { mode: "idle", idleMinutes: 1 };
  const group = { mode: "daily", atHour: (new Date().getUTCHours() + 2) % 24 };
  await home.restart({ config: { session: { resetByKind: { direct, group } } } });
  const ada = home.telegram.owner();
  const club = home.telegram.group();
  const inClub = async () => {
    const word = newWord();
    home.model.when(word, { text: `heard ${word}` });
    await ada.say(`@sample_helper_bot ${word}`, { in: club });
    await home.telegram.shows(club, `heard ${word}`);
    return JSON.stringify(home.model.asked(word)[0]?.messages);
  };
  const word = newWord();
  await ada.say(word);
  await ada.hears("ok");
  await ada.say(`@sample_helper_bot ${word}`, { in: club });
  await home.telegram.shows(club, "ok");
  expect(await historyAfter(ada)).toContain(word);

  await home.rest(60_000);
  expect(await historyAfter(ada)).not.toContain(word);
  expect(await inClub()).toContain(word);
  const history = await home.api.history(home.directKey(ada.id), "user");
  expect(history.join("\n")).toContain(word);
  expect(history).toHaveLength(3);

  await home.rest(25 * 3_600_000);
  expect(await inClub()).not.toContain(word);
});

test("a conversation goes on for ever if nothing else is set", async () => {
  await home.restart();
  const ada = home.telegram.owner();
  const word = newWord();
  await ada.say(word);
  await ada.hears("ok");
  await home.rest(400 * 24 * 3_600_000);
  expect(await historyAfter(ada)).toContain(word);
});

// B16
describe("a list of groups", () => {
  test("takes negative ids as numbers and as text", async () => {
    const groups = [home.telegram.group(), home.telegram.group()] as const;
    const allow = [groups[0], String(groups[1])];
    await home.restart({ config: { channels: { telegram: { groups: { allow } } } } });
    expect(await problems()).toEqual([]);
    const bob = home.telegram.person();
    for (const group of groups) {
      const word = newWord();
      home.model.when(word, { text: `heard ${word}` });
      await bob.say(`@sample_helper_bot ${word}`, { in: group });
      await home.telegram.shows(group, `heard ${word}`);
      expect(home.model.told(word)).toHaveLength(1);
    }
  });

  test("refuses an id with a letter in it by name, and admits nobody", async () => {
    const typo = `${-newNumber(10)}x`;
    await home.restart({ config: { channels: { telegram: { groups: { allow: [typo] } } } } });
    const [problem] = await problems();
    expect(problem).toMatchObject({ severity: "error" });
    expect(`${problem?.path} ${problem?.message}`).toContain("channels.telegram.groups.allow[0]");
    expect(problem?.message).toContain(typo);
    const ada = home.telegram.owner();
    const word = newWord();
    await ada.say(word);
    await home.slack.say({ user: home.slack.owner().user, channel: "D0", text: "x" });
    expect((await home.api.chat(newWord())).status).toBe(200);
    expect(home.model.told(word)).toEqual([]);
  });
});

// B83
describe("a document with faults", () => {
  const harmless = {
    agentz: { default: "x" },
    session: { reset: { mode: "none", atHours: 3 } },
    limits: { steps: "many" },
    tools: {
      custom: [
        {
          name: "x",
          description: "x",
          url: "https://example.org",
          headers: { authorization: "${NOPE}" },
        },
      ],
    },
  };
  const rows: readonly [string, object | string, readonly string[], boolean][] = [
    [
      "keys and values of no use",
      harmless,
      ["agentz", "session.reset.atHours", "limits.steps", "tools.custom[0]"],
      true,
    ],
    [
      "a wrong kind where access is decided",
      { channels: { telegram: { allowFrom: "all" } } },
      ["channels.telegram.allowFrom"],
      false,
    ],
    ["broken JSON", "{ channels: { telegram: ", ["PAGURUS_CONFIG"], false],
  ];

  test.each(rows)("leaves the service up and names the places: %s", async (...row) => {
    const [, config, paths, admits] = row;
    await home.restart({ config });
    expect((await home.runtime.fetch("/readyz")).status).toBe(200);
    const found = (await problems()).map(({ path }) => path);
    for (const path of paths) expect(found).toContainEqual(expect.stringContaining(path));
    const ada = home.telegram.owner();
    const word = newWord();
    home.model.when(word, { text: `heard ${word}` });
    await ada.say(word);
    expect((await home.api.chat(word)).text).toBe(`heard ${word}`);
    if (admits) await ada.hears(`heard ${word}`);
    expect(home.model.asked(word)).toHaveLength(admits ? 2 : 1);
    expect(home.model.asked(word)[0]?.tools).not.toContain("x");
  });
});

test("a default agent of another name, with a model of its own, answers", async () => {
  const agents = { default: "crab", list: [{ id: "crab", model: "openai/test-model" }] };
  await home.restart({ config: { agents } });
  expect(await problems()).toEqual([]);
  const ada = home.telegram.owner();
  const word = newWord();
  home.other.when(word, { text: `heard ${word}` });
  await ada.say(word);
  await ada.hears(`heard ${word}`);
  expect(await home.api.sessions("crab")).toContain(home.directKey(ada.id, "crab"));
});

const readySchema = z.object({
  problems: z.array(z.object({ severity: z.string(), path: z.string(), message: z.string() })),
});

async function problems(): Promise<z.infer<typeof readySchema>["problems"]> {
  const response = await home.runtime.fetch("/readyz");
  return readySchema.parse(await response.json()).problems;
}
