import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageBody, signSlackBody } from "#test/doubles/slack-webhook.ts";
import { Assistant } from "#test/harness/assistant.ts";
import { eventually } from "#test/harness/wait.ts";
import { newCode, newWord } from "#test/harness/words.ts";

/** Secrets: without the right one nothing gets in, and none of them ever comes out. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start({ acting: ["bell"] });
});

afterAll(async () => {
  await home.stop();
});

// B76
describe("a webhook's secret", () => {
  const right = () => home.telegram.vars.TELEGRAM_WEBHOOK_SECRET;
  const rows: readonly [string, boolean, () => string | null, number][] = [
    ["unset, none sent", false, () => null, 401],
    ["unset, an empty one sent", false, () => "", 401],
    ["unset, any sent", false, () => "x", 401],
    ["unset, the one of before sent", false, right, 401],
    ["set, none sent", true, () => null, 401],
    ["set, an empty one sent", true, () => "", 401],
    ["set, a wrong one of the same length sent", true, () => `${right().slice(0, -1)}!`, 401],
    ["set, the beginning of it sent", true, () => right().slice(0, 10), 401],
    ["set, a longer one sent", true, () => `${right()}x`, 401],
    ["set, the right one sent", true, right, 200],
  ];

  test.each(["", undefined])("left %j lets nobody in", async (unset) => {
    await home.restart({
      vars: { TELEGRAM_WEBHOOK_SECRET: unset, SLACK_SIGNING_SECRET: unset },
    });
    for (const [name, , secret, status] of rows.filter(([, set]) => !set)) {
      const ada = home.telegram.owner();
      const { update } = ada.compose({ text: newWord() });
      const response = await home.telegram.post(JSON.stringify(update), secret());
      expect([name, response.status]).toEqual([name, status]);
      expect(await home.api.sessions()).not.toContain(home.directKey(ada.id));
    }
    const { user, im } = home.slack.owner();
    const message = messageBody({ user, channel: im, text: newWord(), ts: home.slack.newTs() });
    const challenge = JSON.stringify({ type: "url_verification", challenge: "x" });
    for (const body of [message, challenge]) {
      for (const key of ["", " ", "undefined", home.slack.vars.SLACK_SIGNING_SECRET]) {
        const { headers } = signSlackBody(body, key, Date.now());
        expect((await home.slack.post(body, { ...headers })).status).toBe(401);
      }
    }
    const keys = await home.api.sessions();
    expect(keys.filter((key) => key.includes(user.toLowerCase()))).toEqual([]);
    expect(home.slack.server.calls("chat.postMessage")).toEqual([]);
  });

  test("that is set lets in who has exactly it", async () => {
    await home.restart();
    for (const [name, , secret, status] of rows.filter(([, set]) => set)) {
      const ada = home.telegram.owner();
      const { update } = ada.compose({ text: newWord() });
      const response = await home.telegram.post(JSON.stringify(update), secret());
      expect([name, response.status]).toEqual([name, status]);
      if (status === 200) await ada.hears("ok");
      else expect(await home.api.sessions()).not.toContain(home.directKey(ada.id));
    }
  });

  test("that is set refuses other signatures over Slack", async () => {
    const { user, im } = home.slack.owner();
    const word = newWord();
    const body = messageBody({ user, channel: im, text: word, ts: home.slack.newTs() });
    const good = signSlackBody(body, home.slack.vars.SLACK_SIGNING_SECRET, Date.now()).headers;
    const signature = good["x-slack-signature"]!;
    const others = [
      "",
      "v0=",
      signature.slice(0, -2),
      `v1${signature.slice(2)}`,
      `${signature}00`,
      `v0=${"0".repeat(64)}`,
    ];
    for (const other of others) {
      const headers = { ...good, "x-slack-signature": other };
      expect((await home.slack.post(body, headers)).status).toBe(401);
    }
    const { "x-slack-request-timestamp": _, ...undated } = good;
    expect((await home.slack.post(body, undated)).status).toBe(401);
    expect((await home.slack.post(body, good)).status).toBe(200);
    await home.slack.shows({ channel: im }, "ok");
    expect(home.model.asked(word)).toHaveLength(1);
  });

  test("of the gateway guards the operator's routes", async () => {
    for (const token of [
      "",
      "Bearer",
      "Bearer ",
      `Bearer ${newWord()}`,
      home.api.vars.GATEWAY_TOKEN,
    ]) {
      const headers = { authorization: token };
      for (const [method, path] of [
        ["GET", "/sessions"],
        ["GET", "/conversation?user=x"],
        ["POST", "/setup"],
        ["GET", "/v1/models"],
        ["POST", "/v1/chat/completions"],
      ] as const) {
        expect((await home.runtime.fetch(path, { method, headers })).status).toBe(401);
      }
    }
  });
});

// B79
describe("secrets", () => {
  const foreign = [`xoxb-0-${newCode(12)}`, `sk-ant-${newCode(24)}`, `ghp_${newCode(36)}`];

  /** Everything that leaves the Worker where people, models or operators can read it. */
  async function everythingSaid(): Promise<string> {
    const { telegram, slack, model, other, api } = home;
    const keys = await api.sessions();
    const exports = await Promise.all(
      keys.map(async (key) =>
        (await api.fetch(`/sessions/${encodeURIComponent(key)}/export`)).text(),
      ),
    );
    return [
      ...home.runtime.logs.map(({ message }) => message),
      // The webhook's secret is registered with Telegram: there it must appear.
      ...telegram.server.requests
        .filter(({ path }) => !path.endsWith("/setWebhook"))
        .map(({ text }) => text),
      ...slack.server.requests.map(({ text }) => text),
      ...[model, other].flatMap(({ server }) =>
        server.calls.map((call) => JSON.stringify(call.body)),
      ),
      ...exports,
    ].join("\n");
  }

  function spellings(secret: string): string[] {
    const [head = "", tail = ""] = secret.split(":");
    return [secret, ...(tail === "" ? [] : [tail, `${head}%3A${tail}`, `${head}%3a${tail}`])];
  }

  test("of all kinds stay inside when everything fails", async () => {
    const vars = home.vars();
    const replies: string[] = [];
    /** What a service can give away: what it was sent, and what it has from elsewhere. */
    const leaks = (...names: string[]) =>
      [...names.map((name) => vars[name]), ...foreign].join(" ");

    // Providers that echo what they were sent, with and without a stream.
    const key = leaks("ANTHROPIC_API_KEY");
    const ada = home.telegram.owner();
    const [first, second, third, fourth] = Array.from({ length: 4 }, newWord);
    home.model.when(first!, { status: 401, error: { message: `invalid x-api-key ${key}` } });
    await ada.say(first!);
    await ada.hears("key");
    home.model.when(second!, { status: 400, body: `<html>${key}</html>` });
    replies.push((await home.api.chat(second)).body);
    home.model.when(third!, { error: { type: "invalid_request_error", message: key } });
    replies.push(
      JSON.stringify(
        await home.api
          .fetch("/v1/chat/completions", {
            method: "POST",
            body: JSON.stringify({
              model: "pagurus",
              stream: true,
              messages: [{ role: "user", content: third }],
            }),
          })
          .then((response) => response.text()),
      ),
    );
    await ada.say("/model openai/test-model");
    home.other.when(fourth!, {
      status: 403,
      error: { message: leaks("OPENAI_API_KEY"), code: leaks("OPENAI_API_KEY") },
    });
    await ada.say(fourth!);
    await ada.hears("openai/test-model does not");

    // The operator's tool gives its own key back.
    const grace = home.telegram.owner();
    const rings = newWord();
    home.tools.on("bell", (_input, _n, request) => ({
      body: `got ${String(request.headers.authorization)}`,
    }));
    home.model.when(rings, { toolCalls: [{ name: "bell", arguments: {} }] }, { text: "rung" });
    await grace.say(rings);
    await grace.hears("rung");
    expect(home.tools.requests.at(-1)?.headers.authorization).toContain(home.vars()["TOOL_KEY"]);

    // Platforms that fail with the address in their answers, at sends and at downloads.
    const { token } = home.telegram.server;
    const known = leaks("TELEGRAM_WEBHOOK_SECRET");
    const proxy = {
      kind: "proxy",
      status: 502,
      body: `<p>/bot${token}/sendMessage ${known}</p>`,
    } as const;
    home.telegram.server.fail("sendMessage", proxy);
    await grace.say(newWord());
    await grace.hears("may not have arrived");
    const refusal = {
      kind: "refused",
      status: 400,
      description: `Bad Request: bot${token} ${known}`,
    } as const;
    home.telegram.server.fail("sendMessage", refusal);
    await grace.say(newWord());
    await grace.hears("not accepted");
    home.telegram.server.fail("getFile", refusal);
    const photo = [{ file_id: newWord(), file_unique_id: "u", width: 9, height: 9 }];
    await grace.send({ photo, caption: `first ${rings}` });
    const stored = newWord();
    home.telegram.server.files.set(stored, { path: "p.png", bytes: new Uint8Array([1]) });
    home.telegram.server.fail("file", { kind: "cut" });
    await grace.send({ photo: [{ ...photo[0], file_id: stored }], caption: `second ${rings}` });
    const { user, im } = home.slack.owner();
    home.slack.server.fail("chat.postMessage", { kind: "error", code: home.slack.server.token });
    await home.slack.say({ user, channel: im, text: newWord() });
    await home.slack.shows({ channel: im }, "not accepted");
    home.slack.server.fail("chat.postMessage", {
      kind: "proxy",
      status: 502,
      body: leaks("SLACK_BOT_TOKEN"),
    });
    await home.slack.say({ user, channel: im, text: newWord() });
    await home.slack.shows({ channel: im }, "may not have arrived");

    // A webhook that fails, set-up, and what the operator reads.
    home.telegram.server.fail("*", refusal, 3);
    replies.push(await (await home.api.fetch("/setup", { method: "POST" })).text());
    replies.push(await (await home.runtime.fetch("/readyz")).text());
    const next = newWord();
    await grace.say(next);
    await eventually(() => home.model.asked(next).length > 0);

    const said = [await everythingSaid(), ...replies].join("\n");
    const leaked = [...home.secrets, ...foreign]
      .flatMap(spellings)
      .filter((each) => said.includes(each));
    expect(leaked).toEqual([]);
    expect(home.events("outbox.not_sent").length).toBeGreaterThan(3);
  });

  test("stay inside when a platform cannot be reached", async () => {
    const root = `http://127.0.0.1:1/${newWord()}`;
    await home.restart({
      vars: { TELEGRAM_API_ROOT: root, ANTHROPIC_BASE_URL: root, SLACK_API_ROOT: root },
    });
    const ada = home.telegram.owner();
    const { user, im } = home.slack.owner();
    await home.slack.say({ user, channel: im, text: newWord() });
    await ada.say("/status");
    await ada.send({ photo: [{ file_id: "f", file_unique_id: "u", width: 9, height: 9 }] });
    const reply = await home.api.chat(newWord());
    expect(reply.status).toBe(503);
    await eventually(() => home.turns(home.directKey(ada.id)).length === 1, { timeoutMs: 60_000 });
    const said = `${await everythingSaid()}\n${reply.body}`;
    expect(home.secrets.flatMap(spellings).filter((each) => said.includes(each))).toEqual([]);
    expect(said).toContain("outbox.not_sent");
  });

  test("of the wrong shape are named, not shown", async () => {
    const wrong = `${newWord()} ${newCode(20)}`;
    await home.restart({
      vars: { TELEGRAM_BOT_TOKEN: wrong, ANTHROPIC_BASE_URL: wrong },
      config: { models: { thinking: "${TOOL_KEY}" }, agentz: "${TOOL_KEY}" },
    });
    const ready = await home.runtime.fetch("/readyz");
    const text = await ready.text();
    expect(ready.status).toBe(200);
    expect(text).toContain("TELEGRAM_BOT_TOKEN");
    expect(text).toContain("ANTHROPIC_BASE_URL");
    expect(text).toContain("models.thinking");
    expect(text).toContain("agentz");
    expect([wrong, home.vars()["TOOL_KEY"]!].filter((each) => text.includes(each))).toEqual([]);
    await eventually(() => home.events("config.problem").length >= 4);
    const lines = JSON.stringify(home.events("config.problem"));
    expect([wrong, home.vars()["TOOL_KEY"]!].filter((each) => lines.includes(each))).toEqual([]);
  });
});
