import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import {
  cutOff,
  type Garbage,
  type GarbageKind,
  hostileWords,
  noJson,
  rawBytes,
  samplesOf,
  spoiled,
  spoiledForm,
  wrongShape,
} from "#test/harness/garbage.ts";
import { complaints, type Send } from "#test/harness/complaint.ts";
import type { TelegramPerson } from "#test/harness/telegram-side.ts";
import { newCode, newNumber, newWord } from "#test/harness/words.ts";

/**
 * Whatever comes in at a route, signed or not, is refused or ignored: never an error of ours, never a
 * hang, and the next real message of the same chat is answered. GARBAGE_SEED repeats a run.
 */
const seed = Number(process.env["GARBAGE_SEED"] ?? newNumber(8));
const perKind = 32;
const patienceMs = 20_000;

let home: Assistant;
let ada: TelegramPerson;
let member: { readonly user: string; readonly im: string };

beforeAll(async () => {
  console.log(`GARBAGE_SEED=${seed}`);
  home = await Assistant.start();
  ada = home.telegram.owner();
  member = home.slack.owner();
});

afterAll(async () => {
  await home.stop();
});

const patience = () => ({ signal: AbortSignal.timeout(patienceMs) });

function post(path: string, body: Garbage, headers: Record<string, string>): Promise<Response> {
  return home.runtime.fetch(path, {
    method: "POST",
    headers,
    body: new Uint8Array(body),
    ...patience(),
  });
}

describe("Telegram's webhook", () => {
  const types = [
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    "",
  ];
  let sent = 0;
  const send: Send = (body, signed) =>
    post("/webhooks/telegram", body, {
      ...(types[sent % types.length] !== "" && { "content-type": types[sent++ % types.length]! }),
      ...(signed && {
        "x-telegram-bot-api-secret-token": home.telegram.vars.TELEGRAM_WEBHOOK_SECRET,
      }),
    });
  const photo = [{ file_id: "f", file_unique_id: "f", width: 9, height: 9 }];
  const message = () => {
    const rich = {
      text: `/status ${newWord()}`,
      caption: "c",
      entities: [
        { type: "bot_command", offset: 0, length: 7 },
        { type: "text_link", offset: 0, length: 3, url: "https://example.org" },
      ],
      photo,
      reply_to_message: { message_id: 3, from: ada.from, text: "earlier" },
      forward_origin: { type: "user", sender_user: ada.from, date: 1 },
      quote: { text: "q" },
      media_group_id: newWord(),
      poll: { question: "q", options: [{ text: "a" }] },
      venue: { location: { latitude: 1, longitude: 2 }, title: "t", address: "a" },
    };
    return ada.compose(rich).update;
  };
  const rich = () => {
    const block = { type: "paragraph", text: ["a", { type: "bold", text: newWord() }] };
    const table = { type: "table", caption: "c", rows: [[{ text: "x" }, "y"]] };
    return ada.compose({ rich_message: { blocks: [block, table], items: [{ label: "1." }] } })
      .update;
  };
  const press = () => ({
    update_id: home.telegram.nextUpdateId(),
    callback_query: {
      id: String(newNumber(9)),
      from: ada.from,
      data: "x",
      message: {
        message_id: 3,
        date: 0,
        chat: { id: ada.id, type: "private" },
        reply_markup: { inline_keyboard: [[{ text: "x", callback_data: "x" }]] },
      },
    },
  });
  const words = [
    "text",
    "caption",
    "first_name",
    "file_id",
    "url",
    "question",
    "title",
    "data",
    "media_group_id",
  ];

  test.each<GarbageKind>([
    noJson,
    wrongShape,
    { ...spoiled(message), name: "a message spoiled" },
    { ...spoiled(rich), name: "a rich message spoiled" },
    { ...spoiled(press), name: "a press spoiled" },
    hostileWords(message, words),
    { ...hostileWords(press, words), name: "hostile words in a press" },
    cutOff(() => rawBytes(JSON.stringify(message()))),
  ])("survives $name", async (kind) => {
    expect(await complaints(samplesOf(kind, seed, perKind), send)).toEqual([]);
    await answersTelegram();
  });
});

async function answersTelegram(): Promise<void> {
  const word = newWord();
  home.model.when(word, { text: `heard ${word}` });
  await ada.say("/new");
  await ada.say(word);
  await ada.hears(`heard ${word}`, { timeoutMs: 60_000 });
}

describe("Slack's webhook", () => {
  const sendAs =
    (type: string): Send =>
    (body, signed) =>
      post("/webhooks/slack", body, {
        "content-type": type,
        ...(signed && home.slack.signature(body)),
      });
  const asJson = sendAs("application/json");
  const asForm = sendAs("application/x-www-form-urlencoded");
  const event = () => ({
    type: "event_callback",
    team_id: "T0FAKE0001",
    event_id: `Ev0${newCode(10)}`,
    authorizations: [{ user_id: "U0FAKEBOT1", team_id: "T0FAKE0001", is_bot: true }],
    event: {
      type: "message",
      channel_type: "im",
      channel: member.im,
      user: member.user,
      text: `<https://example.org|x> ${newWord()}`,
      ts: home.slack.newTs(),
      thread_ts: "1760000000.000100",
      user_profile: { display_name: "Ada" },
      files: [
        {
          id: "F0FAKE0001",
          name: "a.txt",
          mimetype: "text/plain",
          size: 3,
          mode: "hosted",
          url_private: "https://files.slack.com/x",
        },
      ],
      attachments: [{ is_share: true, author_name: "x", text: "y" }],
    },
  });
  const payload = () => ({
    type: "block_actions",
    trigger_id: newCode(12),
    team: { id: "T0FAKE0001" },
    user: { id: member.user, name: "ada" },
    channel: { id: member.im },
    container: { type: "message", message_ts: "1760000000.000100", channel_id: member.im },
    message: { ts: "1760000000.000100" },
    actions: [
      {
        action_ts: home.slack.newTs(),
        value: "x",
        text: { type: "plain_text", text: "Yes" },
        type: "button",
      },
    ],
  });
  const slash = () => ({
    command: "/pagurus",
    text: "whoami",
    team_id: "T0FAKE0001",
    channel_id: member.im,
    channel_name: "directmessage",
    user_id: member.user,
    user_name: "ada",
    trigger_id: newCode(12),
  });
  const inForm = (kind: GarbageKind): GarbageKind => ({
    name: kind.name,
    bodies: kind.bodies.map((body) =>
      rawBytes(`payload=${encodeURIComponent(new TextDecoder().decode(body))}`),
    ),
  });
  const words = ["text", "display_name", "name", "author_name", "thread_ts", "ts", "value"];

  const rows: readonly [name: string, kind: GarbageKind, send: Send][] = [
    ["no JSON", noJson, asJson],
    ["JSON of another shape", wrongShape, asJson],
    ["an event spoiled", spoiled(event), asJson],
    ["hostile words", hostileWords(event, words), asJson],
    ["an event cut off", cutOff(() => rawBytes(JSON.stringify(event()))), asJson],
    ["no form", noJson, asForm],
    ["a press that is no JSON", inForm(noJson), asForm],
    ["a press of another shape", inForm(wrongShape), asForm],
    ["a press spoiled", inForm(spoiled(payload)), asForm],
    ["a press with hostile words", inForm(hostileWords(payload, words)), asForm],
    ["a command spoiled", spoiledForm(slash), asForm],
    ["an event as a form", spoiled(event), asForm],
    ["a command as JSON", spoiledForm(slash), asJson],
    [
      "a press as text",
      spoiledForm(() => ({ payload: JSON.stringify(payload()) })),
      sendAs("text/plain"),
    ],
  ];

  test.each(rows)("survives %s", async (_name, kind, send) => {
    expect(await complaints(samplesOf(kind, seed, perKind), send)).toEqual([]);
    const word = newWord();
    home.model.when(word, { text: `heard ${word}` });
    await home.slack.say({ user: member.user, channel: member.im, text: word });
    await home.slack.shows({ channel: member.im }, `heard ${word}`, { timeoutMs: 60_000 });
  });
});

describe("the API", () => {
  const key = newWord();
  const send: Send = (body, signed) =>
    post("/v1/chat/completions", body, {
      "content-type": "application/json",
      ...(signed && home.api.authorization),
    });
  const request = () => ({
    model: "pagurus",
    user: key,
    stream: false,
    stream_options: { include_usage: true },
    n: 1,
    temperature: 1,
    messages: [
      { role: "system", content: "be kind" },
      {
        role: "user",
        content: [
          { type: "text", text: "/whoami" },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
        ],
      },
      { role: "assistant", content: "hello" },
      { role: "user", content: "/whoami" },
    ],
  });
  const words = ["content", "text", "model", "user", "url"];

  test.each<GarbageKind>([
    noJson,
    wrongShape,
    spoiled(request),
    hostileWords(request, words),
    cutOff(() => rawBytes(JSON.stringify(request()))),
  ])("survives $name", async (kind) => {
    expect(await complaints(samplesOf(kind, seed, perKind), send)).toEqual([]);
    const word = newWord();
    home.model.when(word, { text: `heard ${word}` });
    expect(await home.api.chat(word, { user: key })).toMatchObject({
      status: 200,
      text: `heard ${word}`,
    });
  });
});

test("and nothing inside has broken on the way", () => {
  const broken = home.events().filter(({ level }) => level === "error");
  expect(broken).toEqual([]);
  const failed = home.events("turn.ended").filter(({ status }) => status === "failed");
  expect(failed).toEqual([]);
  expect(home.runtime.logs.filter(({ level }) => level === "runtime")).toEqual([]);
});
