import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { apiDoor, slackDoor, telegramDoor } from "#test/harness/door.ts";
import { newNumber, newWord } from "#test/harness/words.ts";

/** Commands on every channel: what they answer, who may give them, and that they wait for nobody. */
const guestId = newNumber(10);
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start({
    config: { channels: { telegram: { dmPolicy: "allowlist", allowFrom: [guestId] } } },
  });
});

afterAll(async () => {
  await home.stop();
});

describe.each([
  ["Telegram", telegramDoor],
  ["Slack", slackDoor],
  ["the API", apiDoor],
] as const)("over %s", (_name, open) => {
  test("every command has a sensible answer", async () => {
    const door = open(home);
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer, usage: { input: 1234, output: 56 } });
    expect(await door.tell("/again")).toContain("no answer yet");
    expect(await door.tell(word)).toBe(answer);

    const list = await door.tell("/commands");
    for (const name of "help commands status whoami new reset stop again model models think usage context queue steer memory export".split(
      " ",
    )) {
      expect(list).toContain(`/${name}`);
    }
    expect(await door.tell("/help")).toMatch(
      /\/new.*\/stop.*\/memory search.*\/memory forget.*\/dreaming.*\/commands/s,
    );
    const status = await door.tell("/status");
    expect(status).toContain("anthropic/");
    expect(status).toContain("Running: nothing");
    expect(status).toContain("2 entries");
    expect(status).toContain("1 model call, 1234 tokens in, 56 out");
    expect(await door.tell("/whoami")).toContain("the owner");
    expect(await door.tell("/stop")).toBe("Nothing is running.");
    expect(await door.tell("/model")).toContain("Model: anthropic/");
    const models = await door.tell("/models");
    for (const provider of ["anthropic/", "openai/", "demo/"]) expect(models).toContain(provider);
    expect(await door.tell("/think")).toContain("off");
    expect(await door.tell("/think high")).toContain("high");
    expect(await door.tell("/think hard")).toMatch(/\/think.*off.*max/s);
    expect(await door.tell("/queue")).toContain("steer");
    expect(await door.tell("/queue collect")).toContain("collect");
    expect(await door.tell("/queue fast")).toMatch(/\/queue.*interrupt/s);
    expect(await door.tell("/steer")).toContain("/steer");
    expect(await door.tell("/memory")).toContain("Memory in this conversation: on.");
    expect(await door.tell(`/memory search ${newWord()}`)).toContain("Nothing found.");
    expect(await door.tell("/usage")).toContain("1234 tokens in");
    expect(await door.tell("/usage tokens")).toContain("tokens");
    const context = await door.tell("/context");
    for (const part of ["AGENTS.md", "MEMORY.md", "tools", "this conversation"])
      expect(context).toContain(part);
    const sizes = Array.from(context.matchAll(/about (\d+) tokens/g), ([, size]) => Number(size));
    expect(context).toMatch(/Together: about \d+ tokens\.$/);
    expect(sizes.pop()).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(sizes.length).toBeGreaterThan(5);
    expect(await door.tell("/reset now")).toContain("/reset");
    expect(await door.tell(`/${word}`)).toContain(answer);
  });

  test("/again shows the last answer", async () => {
    const door = open(home);
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer });
    expect(await door.tell(word)).toBe(answer);
    expect(await door.tell("/again")).toBe(answer);
    expect(home.model.asked(word)).toHaveLength(1);
  });

  test("/again tries once more what failed", async () => {
    const door = open(home);
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { status: 401 }, { text: answer });
    expect(await door.tell(word)).toContain("does not accept");
    const status = await door.tell("/status");
    expect(status).toMatch(
      /not answered: anthropic\/\S+ does not accept the key in ANTHROPIC_API_KEY/,
    );
    expect(await door.tell("/again")).toBe(answer);
    expect(home.model.asked(word)).toHaveLength(2);
  });

  test("/new forgets the context and keeps the settings, /reset forgets both", async () => {
    const door = open(home);
    const [word, second, third] = [newWord(), newWord(), newWord()];
    await door.tell(word);
    await door.tell("/think low");
    expect(await door.tell("/new")).toMatch(/New conversation.*settings stay/);
    await door.tell(second);
    expect(JSON.stringify(home.model.asked(second)[0]?.messages)).not.toContain(word);
    expect(await door.tell("/think")).toContain("low");
    expect(await door.tell("/reset soft")).toMatch(/New conversation.*settings stay/);
    expect(await door.tell("/think")).toContain("low");
    expect(await door.tell("/reset")).toMatch(/New conversation.*thinking.*defaults/);
    await door.tell(third);
    expect(JSON.stringify(home.model.asked(third)[0]?.messages)).not.toContain(second);
    expect(await door.tell("/think")).toContain("off");
  });

  test("/model is strict: what was chosen answers, or fails by its name", async () => {
    const door = open(home);
    const [first, second, third] = [newWord(), newWord(), newWord()];
    expect(await door.tell("/model nosuchthing")).toContain("no model");
    expect(await door.tell("/model")).toContain("anthropic/");
    expect(await door.tell("/model openai/test-model")).toBe("Model: openai/test-model.");
    home.other.when(first, { text: `heard ${first}` });
    expect(await door.tell(first)).toBe(`heard ${first}`);
    home.other.when(second, { status: 401 });
    expect(await door.tell(second)).toContain("openai/test-model does not accept");
    expect([...home.model.told(first), ...home.model.told(second)]).toEqual([]);
    expect(await door.tell("/model default")).toContain("default");
    await door.tell(third);
    expect(home.model.asked(third)).toHaveLength(1);
    expect(await door.tell("/new openai/test-model")).toContain("openai/test-model");
    expect(await door.tell("/model")).toContain("openai/test-model");
  });

  test("/export is the whole conversation, one entry a line, behind a header", async () => {
    const door = open(home);
    const [word, answer, second] = [newWord(), newWord(), newWord()];
    home.model.when(
      word,
      { text: answer, toolCalls: [{ name: "session_status", arguments: {} }] },
      { text: answer },
    );
    await door.tell(word);
    await door.tell("/new");
    await door.tell(second);
    const [header, ...entries] = await door.exported();
    expect(header).toMatchObject({ type: "pagurus.session", version: 1, agentId: "main" });
    expect(entries.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(JSON.stringify(entries[0])).toContain(word);
    expect(JSON.stringify(entries[3])).toContain(answer);
    expect(JSON.stringify(entries[4])).toContain(second);
  });

  test("a usage line stands below answers while it is wanted", async () => {
    const door = open(home);
    const [word, next] = [newWord(), newWord()];
    home.model.when(word, { text: "short", usage: { input: 777, output: 5 } });
    await door.tell("/usage tokens");
    const answer = await door.tell(word);
    expect(answer).toContain("short");
    expect(answer).toMatch(/777 in, 5 out/);
    await door.tell("/usage off");
    expect(await door.tell(next)).toBe("ok");
  });
});

test("an export too long for an answer says where to fetch it", async () => {
  const [user, first, second] = [newWord(), newWord(), newWord()];
  for (const word of [first, second]) home.model.when(word, { text: `${word} `.repeat(30_000) });
  await home.api.chat(first, { user });
  await home.api.chat(second, { user });
  const { text } = await home.api.chat("/export", { user });
  const path = /GET (\S+)/.exec(text)?.[1] ?? "";
  const response = await home.api.fetch(path);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(second);
});

describe("a guest", () => {
  test("may look, but changes nothing: other commands are words", async () => {
    const guest = home.telegram.person(guestId);
    const { tell } = telegramDoor(home, guest);
    expect(await tell("/help")).toContain("assistant");
    expect(await tell("/commands")).toContain("/status");
    expect(await tell("/status")).toBe("Running: nothing.");
    expect(await tell("/whoami")).toContain("a guest");
    for (const text of [
      "/new",
      "/reset",
      "/stop",
      "/again",
      "/model openai/test-model",
      "/models",
      "/think high",
      "/usage",
      "/context",
      "/queue interrupt",
      "/steer x",
      "/export",
    ]) {
      home.model.when(text, { text: `just words: ${text}` });
      expect(await tell(text)).toBe(`just words: ${text}`);
    }
    expect(await home.api.history(home.directKey(guest.id))).toHaveLength(24);
  });
});

describe("in groups", () => {
  test("a command for another bot is not ours, one for us is", async () => {
    const ada = home.telegram.owner();
    const group = home.telegram.group();
    await ada.say("/status@other_helper_bot", { in: group });
    await ada.say("/whoami@sample_helper_bot", { in: group });
    await home.telegram.shows(group, "the owner");
    await ada.say("/stop", { in: group });
    await home.telegram.shows(group, "Nothing is running");
    expect(home.telegram.visible(group)).toHaveLength(2);
  });

  test("what a conversation costs is not told before others", async () => {
    const ada = home.telegram.owner();
    const group = home.telegram.group();
    await ada.say("/status", { in: group });
    await home.telegram.shows(group, "ask me in a direct chat");
    const told = home.telegram.visible(group).join("\n");
    expect(told).not.toContain("$");
    expect(told).not.toMatch(/tokens in,/);
    expect(await telegramDoor(home, ada).tell("/status")).toMatch(/tokens in,.*Cost: /s);
  });

  test("a command in a thread of a Slack channel is answered there", async () => {
    const { user } = home.slack.owner();
    const channel = home.slack.channel();
    const text = `<@${home.slack.server.bot.id}> /whoami`;
    const thread = await home.slack.say({ user, channel, text });
    await home.slack.shows({ channel, thread }, "the owner");
  });

  test("a command typed where the assistant is no member is answered to the person alone", async () => {
    const { user, im } = home.slack.owner();
    const channel = home.slack.channel();
    home.slack.server.workspace.addChannel({ id: channel, joined: false });
    expect(await home.slack.slash(user, channel, "whoami")).toContain("Got it");
    await home.slack.shows({ channel: im }, "the owner");
    expect(home.slack.visible(channel)).toEqual([]);
  });
});
