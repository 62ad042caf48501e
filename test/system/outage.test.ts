import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { breakStorage, storage } from "#test/harness/broken-storage.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";

/** What the person notices when something around a conversation is down, missing or broken. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

describe("a platform that is down", () => {
  test("may have shown the answer: it is not repeated, but said, and shown on request", async () => {
    const ada = home.telegram.owner();
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer });
    home.telegram.server.fail("sendMessage", { kind: "serverError", applied: false });
    await ada.say(word);
    await ada.hears("may not have arrived");
    expect(home.telegram.sentTo(ada.id)).toHaveLength(1);
    await ada.say("/again");
    await ada.hears(answer);
    expect(home.telegram.sentTo(ada.id)).toHaveLength(2);
  });

  test("for the notice too: the answer is there on request when it is back", async () => {
    const ada = home.telegram.owner();
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer });
    home.telegram.server.fail("sendMessage", { kind: "serverError" }, 2);
    await ada.say(word);
    const tries = () =>
      home.telegram.server.calls("sendMessage").filter(({ text }) => text.includes(String(ada.id)));
    await eventually(() => tries().length >= 2);
    await ada.say("/again");
    await ada.hears(answer);
    expect(home.telegram.sentTo(ada.id).filter((text) => text === answer)).toHaveLength(1);
    expect(home.model.asked(word)).toHaveLength(1);
  });

  test("in Slack: what was not posted is looked for there, said, and shown on request", async () => {
    const { user, im } = home.slack.owner();
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer });
    home.slack.server.fail("chat.postMessage", { kind: "serverError", applied: false });
    await home.slack.say({ user, channel: im, text: word });
    await home.slack.shows({ channel: im }, "/again");
    await home.slack.say({ user, channel: im, text: "/again" });
    await home.slack.shows({ channel: im }, answer);
    expect(home.slack.visible(im).filter((text) => text === answer)).toHaveLength(1);
  });

  test("for a rate limit: the answer comes once the time is over", async () => {
    const { user, im } = home.slack.owner();
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { text: answer });
    home.slack.server.fail("chat.postMessage", { kind: "rateLimited", retryAfter: 1 });
    await home.slack.say({ user, channel: im, text: word });
    await home.slack.shows({ channel: im }, answer);
    const calls = home.slack.server
      .calls("chat.postMessage")
      .filter(({ text }) => text.includes(answer));
    expect(calls).toHaveLength(2);
    expect(calls[1]!.at - calls[0]!.at).toBeGreaterThanOrEqual(1000);
  });
});

describe("without keys", () => {
  const keyless = {
    ANTHROPIC_API_KEY: undefined,
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: undefined,
    SLACK_BOT_TOKEN: undefined,
    GATEWAY_TOKEN: undefined,
  };

  test("the demo answers and names the key that replaces it; channels say what they lack", async () => {
    const ada = home.telegram.owner();
    const grace = home.telegram.owner();
    await grace.say("/model openai/test-model");
    await grace.hears("Model: openai/test-model");
    await home.restart({ vars: keyless });
    const ready = await (await home.runtime.fetch("/readyz")).text();
    for (const part of [
      "demo/demo",
      ...Object.keys(keyless).filter((name) => !name.endsWith("URL")),
    ]) {
      expect(ready).toContain(part);
    }
    const challenge = JSON.stringify({ type: "url_verification", challenge: "x" });
    expect((await home.slack.post(challenge, home.slack.signature(challenge))).status).toBe(404);
    expect((await home.api.chat(newWord())).status).toBe(401);
    expect((await home.api.fetch("/sessions")).status).toBe(401);
    await ada.say("hello");
    const first = await ada.hears("demo");
    expect(first.text).toContain("ANTHROPIC_API_KEY");
    const fact = newWord();
    await ada.say(`remember that my boat is called ${fact}`);
    await ada.hears("memory/");
    await ada.say("what do you know about my boat?");
    await ada.hears(fact);

    await ada.say("/model openai/test-model");
    const missing = await ada.hears("not set up");
    expect(missing.text).toContain("OPENAI_API_KEY");
    await ada.say("/models");
    await ada.hears("set ANTHROPIC_API_KEY");

    // Chosen while it had one: the person is told, and the message is answered once that is mended.
    const word = newWord();
    await grace.say(word);
    await grace.hears("OPENAI_API_KEY");
    home.other.when(word, { text: `heard ${word}` });
    await home.restart();
    await grace.say("/again");
    await grace.hears(`heard ${word}`);
  });
});

describe("broken storage", () => {
  let mend = () => {};

  // B21
  test("of the agent, its files and its database makes the assistant duller, not mute", async () => {
    const [ada, slack] = [home.telegram.owner(), home.slack.owner()];
    await ada.say(newWord());
    await ada.hears("ok");
    await home.meanwhile((directory) => {
      mend = breakStorage(directory, [storage.agents, storage.files, storage.database]);
    });
    const challenge = newWord();
    const body = JSON.stringify({ type: "url_verification", token: "x", challenge });
    const verified = await home.slack.post(body, { ...home.slack.sign(body).headers });
    expect([verified.status, await verified.text()]).toEqual([200, challenge]);

    const [first, second, third] = [newWord(), newWord(), newWord()];
    for (const word of [first, second, third]) home.model.when(word, { text: `heard ${word}` });
    await ada.say(first);
    await ada.hears(`heard ${first}`);
    await home.slack.say({ user: slack.user, channel: slack.im, text: second });
    await home.slack.shows({ channel: slack.im }, `heard ${second}`);
    expect((await home.api.chat(third)).text).toBe(`heard ${third}`);
    const eve = home.telegram.person();
    await eve.say(newWord());
    await ada.say("/status");
    await ada.hears("Agent: main");

    const [path, text] = [`${newWord()}.md`, newWord()];
    home.model.when(
      text,
      { toolCalls: [{ name: "write", arguments: { path, text } }] },
      { text: `tried ${text}` },
    );
    await ada.say(text);
    await ada.hears(`tried ${text}`);
    expect(home.model.asked(text).at(-1)?.messages.at(-1)?.toolResults[0]?.isError).toBe(true);
  });

  test("of conversations is no 200: what was not stored comes again and is answered once", async () => {
    const ada = home.telegram.owner();
    await ada.say(newWord());
    await ada.hears("ok");
    await home.meanwhile((directory) => {
      mend();
      mend = breakStorage(directory, [storage.sessions]);
    });
    const word = newWord();
    const { update } = ada.compose({ text: word });
    expect((await home.telegram.post(JSON.stringify(update))).status).toBe(500);
    const challenge = JSON.stringify({ type: "url_verification", challenge: "x" });
    expect(
      (await home.slack.post(challenge, { ...home.slack.sign(challenge).headers })).status,
    ).toBe(200);
    const fresh = home.telegram.owner();
    await fresh.say(newWord());
    await fresh.hears("ok");

    await home.meanwhile(() => mend());
    home.model.when(word, { text: `heard ${word}` });
    await home.telegram.push(update);
    await ada.hears(`heard ${word}`);
    expect(home.telegram.sentTo(ada.id).filter((text) => text.includes(word))).toHaveLength(1);
    expect(home.model.asked(word)[0]?.system).toContain("# AGENTS.md");
  });
});
