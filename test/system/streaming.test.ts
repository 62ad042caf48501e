import { afterAll, beforeAll, expect, test } from "vitest";
import { readableText } from "#test/doubles/slack-workspace.ts";
import { Assistant } from "#test/harness/assistant.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";

/** How an answer appears: growing in place, in several messages, without what is not for people. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

/** Pieces of about 260 characters, each recognisable. */
function pieces(count: number): string[] {
  return Array.from({ length: count }, () => `${newWord()} ${"and the tide goes out ".repeat(11)}`);
}

test("a long answer in Slack is one message that grows", async () => {
  const { user } = home.slack.owner();
  const channel = home.slack.channel();
  const word = newWord();
  const chunks = pieces(4);
  home.model.when(word, { chunks, delayMs: 1600 });
  const text = `<@${home.slack.server.bot.id}> ${word}`;
  const thread = await home.slack.say({ user, channel, text });
  const whole = chunks.join("").trim();
  const answer = await eventually(
    () => home.slack.server.visible(channel, thread).find((one) => readableText(one) === whole),
    { timeoutMs: 30_000 },
  );
  expect(home.slack.server.visible(channel, thread)).toEqual([answer]);
  expect(answer.edits.length).toBeGreaterThan(0);
  for (const earlier of answer.edits) expect(earlier.endsWith(" …")).toBe(true);
  expect(home.slack.server.calls("chat.postMessage")).toHaveLength(1);
});

test("a long answer in a direct chat on Telegram is a draft first, then one message", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  const chunks = pieces(3);
  home.model.when(word, { chunks, delayMs: 1100 });
  await ada.say(word);
  await ada.hears(chunks.at(-1)!.split(" ")[0]!);
  const drafts = home.telegram.server.drafts.filter(({ chatId }) => chatId === ada.id);
  expect(drafts.length).toBeGreaterThan(0);
  expect(new Set(drafts.map(({ draftId }) => draftId)).size).toBe(1);
  for (const { text } of drafts) {
    expect(chunks.join("").startsWith(text.replace(/ …$/, ""))).toBe(true);
  }
  expect(ada.sees).toEqual([chunks.join("").trim()]);
});

// B06
test("an answer longer than a message comes in several, in order and whole", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  const lines = Array.from({ length: 300 }, (_, n) => `const a${n} = x < y && z > 1; // line ${n}`);
  const code = lines.join("\n");
  home.model.when(word, { text: `Intro\n\n\`\`\`ts\n${code}\n\`\`\`\nOutro ${word}` });
  await ada.say(word);
  await ada.hears(`Outro ${word}`);
  const messages = home.telegram.server.visible(ada.id);
  expect(messages.length).toBeGreaterThan(2);
  const shown = messages.map(({ text }) => text).join("\n");
  expect(shown.split("\n").filter((line) => line.startsWith("const"))).toEqual(lines);
  for (const { raw } of messages.slice(0, -1)) expect(raw).toContain('class="language-ts"');
  expect(messages[0]?.text.startsWith("Intro")).toBe(true);
});

// B66
test.each(["NO_REPLY", "**NO_REPLY**", "`HEARTBEAT_OK`", "<b>NO_REPLY</b>", "HEARTBEAT_OK."])(
  "a word that asks for silence is silence: %s",
  async (silence) => {
    const ada = home.telegram.owner();
    const [word, next] = [newWord(), newWord()];
    home.model.when(word, { text: silence, chunks: silence.length });
    home.model.when(next, { text: "what does NO_REPLY mean? It means silence." });
    await ada.say(word);
    const streamed = await home.api.chat(word, { user: newWord() });
    expect(streamed).toMatchObject({ status: 200, text: "" });
    await ada.say(next);
    await ada.hears("NO_REPLY mean");
    expect(home.telegram.server.sent.filter(({ chatId }) => chatId === ada.id)).toHaveLength(1);
    expect(home.telegram.server.drafts.filter(({ chatId }) => chatId === ada.id)).toEqual([]);
  },
);

test("a turn that ends in silence takes its preview back", async () => {
  const { user } = home.slack.owner();
  const channel = home.slack.channel();
  const [word, next] = [newWord(), newWord()];
  const quiet = { name: "stay_silent", arguments: {} };
  home.model.when(word, { chunks: pieces(3), delayMs: 1600, toolCalls: [quiet] });
  home.model.when(next, { text: `heard ${next}` });
  const text = `<@${home.slack.server.bot.id}> ${word}`;
  const thread = await home.slack.say({ user, channel, text });
  await home.slack.shows({ channel, thread }, "and the tide");
  await home.slack.say({
    user,
    channel,
    threadTs: thread,
    text: `<@${home.slack.server.bot.id}> ${next}`,
  });
  await home.slack.shows({ channel, thread }, `heard ${next}`);
  expect(home.slack.visible(channel, thread)).toEqual([`heard ${next}`]);
});

test("reasoning and calls that leak into the text are not for people", async () => {
  const ada = home.telegram.owner();
  const [word, secret, answer] = [newWord(), newWord(), newWord()];
  const leak = `<think>${secret} ${"hm ".repeat(200)}</think>\n<tool_call>{"name":"${secret}"}</tool_call>\n${answer}`;
  home.model.when(word, { text: leak, chunks: 40, thinking: secret });
  await ada.say(word);
  await ada.hears(answer);
  const caller = await home.api.stream(word, { user: newWord() });
  const seen = JSON.stringify([
    home.telegram.server.requests
      .filter(({ text }) => text.includes(String(ada.id)))
      .map(({ text }) => text),
    caller,
  ]);
  expect(seen).toContain(answer);
  expect(seen).not.toContain(secret);
});

test("an answer cut at the model's limit says so", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  home.model.when(word, { text: `begun ${word}`, stopReason: "length" });
  await ada.say(word);
  await ada.hears("output limit");
});
