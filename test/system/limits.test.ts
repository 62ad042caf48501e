import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { telegramDoor } from "#test/harness/door.ts";
import { newWord } from "#test/harness/words.ts";

/** Bounds, set so small that a test can reach them: steps, time, history, prompt files, bursts. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start({
    config: {
      limits: { steps: 6, toolSeconds: 1, streamIdleSeconds: 1 },
      session: { historyTokens: 1000 },
      models: { attempts: 2, maxOutputTokens: 256 },
      bootstrap: { fileChars: 500 },
      channels: { telegram: { streaming: "off" }, slack: { debounceMs: 500 } },
    },
    reading: ["gauge"],
  });
});

afterAll(async () => {
  expect(home.model.server.refusals).toEqual([]);
  await home.stop();
});

test("a turn that takes too many steps ends with a word, and goes on when asked to", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  let n = 0;
  home.tools.on("gauge", () => ({ body: `reading ${(n += 1)}` }));
  home.model.when(word, { toolCalls: [{ name: "gauge", arguments: {} }] });
  home.model.when("go on", { text: "finished" });
  await ada.say(word);
  await ada.hears("I stopped after 6 steps");
  expect(home.model.asked(word)).toHaveLength(6);
  await ada.say("go on");
  await ada.hears("finished");
  expect(JSON.stringify(home.model.asked("go on")[0]?.messages)).toContain("reading 6");
});

test("a turn that goes round in circles is warned, then ended", async () => {
  const ada = home.telegram.owner();
  const [word, path] = [newWord(), `${newWord()}.md`];
  home.model.when(word, { toolCalls: [{ name: "read", arguments: { path } }] });
  await ada.say(word);
  await ada.hears("repeating the same step");
  const calls = home.model.asked(word);
  expect(calls).toHaveLength(5);
  expect(JSON.stringify(calls.at(-1)?.messages)).toContain(
    "[Pagurus] You have made this very call",
  );
});

test("a tool that hangs is an error for the model, not for the person", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  home.tools.on("gauge", () => new Promise(() => {}));
  home.model.when(
    word,
    { toolCalls: [{ name: "gauge", arguments: {} }] },
    { text: `done ${word}` },
  );
  await ada.say(word);
  await ada.hears(`done ${word}`);
  const result = home.model.asked(word).at(-1)?.messages.at(-1)?.toolResults[0];
  expect(result).toMatchObject({ isError: true });
  expect(result?.text).toContain("did not finish within 1 s");
});

test("a model that falls silent is asked once more, then said", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  home.model.when(word, { text: "never", gate: () => new Promise(() => {}) });
  await ada.say(word);
  await ada.hears("did not answer in time");
  expect(home.model.asked(word)).toHaveLength(2);
});

test("a long history is cut between turns, and the model is told", async () => {
  const ada = home.telegram.owner();
  const words = Array.from({ length: 8 }, newWord);
  const tell = telegramDoor(home, ada).tell;
  for (const word of words) {
    home.model.when(word, { text: `heard ${word} ${"yes ".repeat(150)}` });
    await tell(`${word} ${"more ".repeat(150)}`);
  }
  const sizes = words.map((word) => JSON.stringify(home.model.asked(word)[0]?.messages).length);
  expect(Math.max(...sizes)).toBeLessThan(8000);
  const messages = home.model.asked(words.at(-1)!)[0]?.messages ?? [];
  expect(messages[0]?.text).toMatch(/^\[Pagurus\] \d older turns/);
  expect(messages[0]?.role).toBe("user");
  const said = JSON.stringify(messages);
  expect(said).not.toContain(words[0]);
  expect(said).toContain(words.at(-2));
  expect(await tell("/context")).toMatch(/\d older turns are left out/);
  const history = await home.api.history(home.directKey(ada.id), "user");
  expect(history).toHaveLength(8);
});

test("a file over its budget is cut in the prompt, and both are told", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  const text = `begin ${word} ${"x".repeat(2000)} ${word} end`;
  home.model.when(
    word,
    { toolCalls: [{ name: "write", arguments: { path: "USER.md", text } }] },
    { text: "written" },
  );
  await ada.say(word);
  await ada.hears("written");
  const next = newWord();
  await ada.say(next);
  await ada.hears("ok");
  const system = home.model.asked(next)[0]?.system ?? "";
  expect(system).toContain(`begin ${word}`);
  expect(system).toContain(`${word} end`);
  expect(system).toMatch(/characters of USER\.md left out/);
  expect(system).not.toContain("x".repeat(600));
  await ada.say("/context");
  const context = await ada.hears("With each message");
  expect(context.text).toMatch(/USER\.md.*characters left out/);
});

test("a burst of messages is one turn where that is set", async () => {
  const { user, im } = home.slack.owner();
  const words = [newWord(), newWord(), newWord()];
  home.model.when(words[2]!, { text: "all three" });
  await Promise.all(words.map((text) => home.slack.say({ user, channel: im, text })));
  await home.slack.shows({ channel: im }, "all three");
  const calls = home.model.told(words[0]!);
  expect(calls).toHaveLength(1);
  expect(words.filter((word) => !calls[0]?.userText.includes(word))).toEqual([]);
});

test("nothing is shown of an unfinished answer where that is off", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  home.model.when(word, { chunks: ["one ".repeat(80), "two ".repeat(80), word], delayMs: 600 });
  await ada.say(word);
  await ada.hears(word);
  expect(home.telegram.server.drafts.filter(({ chatId }) => chatId === ada.id)).toEqual([]);
  expect(ada.sees).toHaveLength(1);
});

test("an answer is asked for within the limit that is set", async () => {
  const word = newWord();
  await home.api.chat(word);
  expect(home.model.asked(word)[0]?.body["max_tokens"]).toBe(256);
});
