import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageBody, signSlackBody, slackSignature } from "#test/doubles/slack-webhook.ts";
import { Assistant } from "#test/harness/assistant.ts";
import { createLatch } from "#test/harness/latch.ts";
import { newCode, newWord } from "#test/harness/words.ts";

/** A message's way from Slack's webhook to the model and back into the channel, over the whole Worker. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

/** An owner writes in a channel; the answer is in the thread of that message. */
async function ask(user: string, channel: string, text: string): Promise<string> {
  const thread = await home.slack.say({
    user,
    channel,
    text: `<@${home.slack.server.bot.id}> ${text}`,
  });
  return thread;
}

function sessionsOf(id: string): Promise<string[]> {
  return home.api.sessions().then((keys) => keys.filter((key) => key.includes(id.toLowerCase())));
}

interface PostCall {
  readonly channel: string;
  readonly text: string;
  readonly thread_ts?: string;
}

function posts(channel: string): PostCall[] {
  const calls = home.slack.server.calls("chat.postMessage").map(({ json }) => json as PostCall);
  return calls.filter((call) => call.channel.toLowerCase() === channel.toLowerCase());
}

// B02
test("an event is acknowledged while the model still thinks, and answered in its thread", async () => {
  const { user } = home.slack.owner();
  const channel = home.slack.channel();
  const [word, answer] = [newWord(), newWord()];
  const latch = createLatch();
  home.model.when(word, async () => {
    await latch.pass();
    return { text: answer };
  });
  // The model does not answer before this has come back.
  const thread = await ask(user, channel, word);
  await latch.reached;
  expect(posts(channel)).toEqual([]);
  latch.open();
  await home.slack.shows({ channel, thread }, answer);
  expect(posts(channel)).toHaveLength(1);
});

// B19
describe("what is nobody's word", () => {
  const text = newWord();
  const base = { type: "message", channel_type: "channel", text: `<@U0FAKEBOT1> ${text}` };
  const changed = (message: object) => ({
    ...base,
    subtype: "message_changed",
    hidden: true,
    message,
    previous_message: message,
  });

  test.each([
    ["a link unfurled below a message", changed({ user: "U0", text, ts: "1760000000.000200" })],
    ["our own message edited", changed({ bot_id: "B0FAKEBOT1", text: `${text}!`, ts: "1" })],
    ["a deleted message", { ...base, subtype: "message_deleted", deleted_ts: "1760000000.000200" }],
    ["our own bot message", { ...base, subtype: "bot_message", bot_id: "B0FAKEBOT1" }],
    ["a message by our own user", { ...base, user: "U0FAKEBOT1" }],
  ])("is no turn: %s", async (_name, event) => {
    const { user } = home.slack.owner();
    const channel = home.slack.channel();
    const next = newWord();
    home.model.when(next, { text: next });
    await home.slack.event({ user, ...event, channel, ts: home.slack.newTs() });
    const thread = await ask(user, channel, next);
    await home.slack.shows({ channel, thread }, next);
    expect(home.model.told(text)).toEqual([]);
    expect(posts(channel)).toHaveLength(1);
  });
});

// B20
describe("the signature", () => {
  const rawBody = (user: string, channel: string, word: string) => {
    const ts = home.slack.newTs();
    return `{"type":"event_callback",  "event_id":"Ev0${newCode(9)}","event":{"type":"app_mention","channel":"${channel}","user":"${user}","text":"caf\\u00e9 \\/ok ${word}","ts":"${ts}"}}`;
  };

  test("counts over the bytes that came, not over what they mean", async () => {
    const { user } = home.slack.owner();
    const channel = home.slack.channel();
    const [refused, word] = [newWord(), newWord()];
    const again = rawBody(user, channel, refused);
    const wrong = home.slack.signature(JSON.stringify(JSON.parse(again)));
    expect((await home.slack.post(again, wrong)).status).toBe(401);

    const body = rawBody(user, channel, word);
    const right = { ...home.slack.signature(body), "content-type": "application/json" };
    expect((await home.slack.post(body, right)).status).toBe(200);
    await home.slack.shows({ channel, thread: /"ts":"([\d.]+)"/.exec(body)![1]! }, "ok");
    expect(home.model.asked(word)[0]?.userText).toContain("café /ok");
    expect(home.model.told(refused)).toEqual([]);
  });

  test("is refused when it is older than five minutes", async () => {
    const { user } = home.slack.owner();
    const body = rawBody(user, home.slack.channel(), newWord());
    const old = home.slack.signature(body, Date.now() - 301_000);
    expect((await home.slack.post(body, old)).status).toBe(401);
  });

  test("of a slash command counts over the raw form", async () => {
    const { user, im } = home.slack.owner();
    const raw = `command=%2Fpagurus&text=who%61mi&user_id=${user}&channel_id=${im}&trigger_id=${newCode(9)}`;
    const form = new URLSearchParams(raw).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const wrong = { ...type, ...home.slack.signature(form) };
    expect((await home.slack.post(raw, wrong)).status).toBe(401);
    const right = { ...type, ...home.slack.signature(raw) };
    expect((await home.slack.post(raw, right)).status).toBe(200);
    await home.slack.shows({ channel: im }, "the owner");
  });
});

// B21
test("a signed challenge is answered, an unsigned one is refused", async () => {
  const challenge = newWord();
  const body = JSON.stringify({ type: "url_verification", token: "x", challenge });
  const { headers } = home.slack.sign(body);
  const answered = await home.slack.post(body, headers);
  expect(answered.status).toBe(200);
  expect(await answered.text()).toBe(challenge);
  const unsigned = await home.slack.post(body, { "content-type": "application/json" });
  expect(unsigned.status).toBe(401);
  const foreign = slackSignature(body, newWord(), Date.now());
  expect((await home.slack.post(body, { ...foreign })).status).toBe(401);
});

// B22
test("an answer's brackets and mentions are escaped, its links are kept", async () => {
  const { user, im } = home.slack.owner();
  const [first, second, site] = [newWord(), newWord(), `${newWord()}.example.org`];
  home.model.when(first, {
    text: `**Rule:** when n < 3 && m > 4 use \`p<q\` [docs](https://${site}/?a=1&b=2) <!channel> <@${user}>`,
  });
  home.model.when(second, { text: `Read <https://${site}/plan|the plan>.` });
  await home.slack.say({ user, channel: im, text: first });
  const rule = await home.slack.shows({ channel: im }, "Rule");
  expect(rule.text).toContain("*Rule:* when n &lt; 3 &amp;&amp; m &gt; 4 use `p&lt;q`");
  expect(rule.text).toContain(`<https://${site}/?a=1&amp;b=2|docs>`);
  expect(rule.text).toContain("&lt;!channel&gt;");
  expect(rule.text).not.toMatch(/<[!@]/);
  await home.slack.say({ user, channel: im, text: second });
  const plan = await home.slack.shows({ channel: im }, "Read");
  expect(plan.text).toBe(`Read <https://${site}/plan|the plan>.`);
});

// B24
test("a send from another conversation reaches a channel under its own spelling", async () => {
  const { user } = home.slack.owner();
  const ada = home.telegram.owner();
  const channel = home.slack.channel();
  const [hello, order, told] = [newWord(), newWord(), newWord()];
  const thread = await ask(user, channel, hello);
  await home.slack.shows({ channel, thread }, "ok");
  const [sessionKey] = await sessionsOf(channel);
  const call = { name: "message", arguments: { text: told, session: sessionKey } };
  home.model.when(order, { toolCalls: [call] }, { text: "sent" });
  await ada.say(order);
  await home.slack.shows({ channel, thread }, told);
  await ada.hears("sent");
  expect(posts(channel).map((post) => post.channel)).toEqual([channel, channel]);
  expect(posts(channel).at(-1)?.thread_ts).toBe(thread);
});

// B24
test("ids that differ by case only are one conversation", async () => {
  const { user } = home.slack.owner();
  const channel = home.slack.channel();
  const thread = await ask(user, channel, newWord());
  await home.slack.shows({ channel, thread }, "ok");
  const folded = channel.toLowerCase();
  await home.slack.say({ user, channel: folded, text: newWord(), threadTs: thread });
  expect(await sessionsOf(channel)).toHaveLength(1);
});

// B26
test("a channel's message, mention and tool send are one conversation, one turn a message", async () => {
  const { user } = home.slack.owner();
  const ada = home.telegram.owner();
  const channel = home.slack.channel();
  const [first, second, order, told, last] = Array.from({ length: 5 }, newWord);
  const bot = `<@${home.slack.server.bot.id}>`;
  const thread = await home.slack.say({ user, channel, text: `${bot} ${first}` });
  const mention = { type: "app_mention", text: `${bot} ${first}`, ts: thread } as const;
  await home.slack.say({ user, channel, ...mention });
  await home.slack.shows({ channel, thread }, "ok");
  home.model.when(second!, { text: `heard ${second}` });
  await home.slack.say({
    user,
    channel,
    threadTs: thread,
    type: "app_mention",
    text: `${bot} ${second}`,
  });
  await home.slack.shows({ channel, thread }, `heard ${second}`);
  const call = {
    name: "message",
    arguments: { text: told, session: `slack:${channel}:${thread}` },
  };
  home.model.when(order!, { toolCalls: [call] }, { text: "sent" });
  await ada.say(order!);
  await home.slack.shows({ channel, thread }, told!);

  home.model.when(last!, { text: `heard ${last}` });
  await home.slack.say({ user, channel, threadTs: thread, text: `${bot} ${last}` });
  await home.slack.shows({ channel, thread }, `heard ${last}`);
  expect(await sessionsOf(channel)).toHaveLength(1);
  expect(home.model.asked(first!)).toHaveLength(1);
  const history = JSON.stringify(home.model.asked(last!)[0]?.messages);
  for (const word of [first, second, told]) expect(history).toContain(word);
});

// B27
test("what a tool sent into a direct chat is in the history of its next turn", async () => {
  const { user, im } = home.slack.owner();
  const ada = home.telegram.owner();
  const [hello, order, told, next] = Array.from({ length: 4 }, newWord);
  await home.slack.say({ user, channel: im, text: hello! });
  await home.slack.shows({ channel: im }, "ok");
  const call = { name: "message", arguments: { text: told, session: `slack:${im}` } };
  home.model.when(order!, { toolCalls: [call] }, { text: "sent" });
  await ada.say(order!);
  await home.slack.shows({ channel: im }, told!);

  home.model.when(next!, { text: "and on" });
  await home.slack.say({ user, channel: im, text: next! });
  await home.slack.shows({ channel: im }, "and on");
  const messages = home.model.asked(next!)[0]?.messages ?? [];
  expect(messages.some(({ role, text }) => role === "assistant" && text.includes(told!))).toBe(
    true,
  );
  expect(await sessionsOf(user)).toHaveLength(1);
  expect(await sessionsOf(im)).toEqual([]);
});

test("a press is signed like everything else", async () => {
  const { user, im } = home.slack.owner();
  const word = newWord();
  const body = messageBody({ user, channel: im, text: word, ts: home.slack.newTs() });
  const { headers } = signSlackBody(body, newWord(), Date.now());
  expect((await home.slack.post(body, { ...headers })).status).toBe(401);
  home.model.when(
    word,
    {
      toolCalls: [{ name: "ask_user", arguments: { question: word, options: ["left", "right"] } }],
    },
    { text: "chosen" },
  );
  await home.slack.say({ user, channel: im, text: word });
  const question = await home.slack.shows({ channel: im }, word);
  await home.slack.press({
    user,
    channel: im,
    messageTs: question.ts,
    value: "left",
    label: "left",
  });
  await home.slack.shows({ channel: im }, "chosen");
  expect(JSON.stringify(home.model.asked(word).at(-1)?.messages.at(-1))).toContain("left");
});
