import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { hostileText } from "#test/harness/garbage.ts";
import { eventually } from "#test/harness/wait.ts";
import { newNumber, newWord } from "#test/harness/words.ts";

/** The edge of the Worker: limits, unknown places, wrong methods, and what is counted and dropped. */
const seed = Number(process.env["GARBAGE_SEED"] ?? newNumber(8));

let home: Assistant;

beforeAll(async () => {
  console.log(`GARBAGE_SEED=${seed}`);
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

/** A body that comes in pieces, without saying how long it is. */
function inPieces(text: string): RequestInit {
  const pieces = text.match(/[^]{1,65536}/g) ?? [];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  // Node insists on saying that the answer comes after the body.
  return { method: "POST", body, duplex: "half" } as RequestInit;
}

const padding = (length: number) => " ".repeat(length);

describe("a body that is too large", () => {
  const telegramHeaders = () => ({
    "x-telegram-bot-api-secret-token": home.telegram.vars.TELEGRAM_WEBHOOK_SECRET,
  });

  test("is refused at a webhook, declared or not, and one that just fits is taken", async () => {
    const ada = home.telegram.owner();
    const word = newWord();
    const update = JSON.stringify(ada.compose({ text: word }).update);
    const fits = update + padding(1_000_000 - update.length);
    const over = `${fits} `;
    expect((await home.telegram.post(over)).status).toBe(413);
    const pieces = { ...inPieces(over), headers: telegramHeaders() };
    expect((await home.runtime.fetch("/webhooks/telegram", pieces)).status).toBe(413);
    expect((await home.slack.post(over, home.slack.signature(over))).status).toBe(413);
    expect((await home.telegram.post(fits)).status).toBe(200);
    await ada.hears("ok");
    expect(home.model.asked(word)).toHaveLength(1);
  });

  test("is refused at the API, declared or not, and one that just fits is taken", async () => {
    const word = newWord();
    const request = JSON.stringify({
      model: "pagurus",
      messages: [{ role: "user", content: word }],
    });
    const fits = request + padding(20_000_000 - request.length);
    const over = `${fits} `;
    const path = "/v1/chat/completions";
    expect((await home.api.fetch(path, { method: "POST", body: over })).status).toBe(413);
    expect((await home.api.fetch(path, inPieces(over))).status).toBe(413);
    expect((await home.api.fetch(path, { method: "POST", body: fits })).status).toBe(200);
    expect(home.model.asked(word)).toHaveLength(1);
  });
});

test.each(["/webhooks/telegram", "/webhooks/slack"])("no JSON is 400 at %s", async (path) => {
  const body = `{"${newWord()}`;
  const response = path.endsWith("slack")
    ? await home.slack.post(body, home.slack.signature(body))
    : await home.telegram.post(body);
  expect(response.status).toBe(400);
});

test("kinds of updates nobody needs are taken, counted and dropped", async () => {
  const ada = home.telegram.owner();
  const chat = { id: ada.id, type: "private" };
  const reaction = {
    chat,
    message_id: 3,
    user: ada.from,
    date: 1,
    old_reaction: [],
    new_reaction: [],
  };
  const { message } = ada.compose({ text: newWord() }).update as { message: object };
  const kinds: readonly [string, object][] = [
    ["message_reaction", reaction],
    ["my_chat_member", { chat, from: ada.from, date: 1 }],
    ["edited_message", message],
    ["business_message", message],
    ["poll_answer", { poll_id: "1", option_ids: [0] }],
    [newWord(), { x: 1 }],
  ];
  const before = home.events("webhook.ignored").length;
  for (const [kind, content] of kinds) {
    await home.telegram.push({ update_id: home.telegram.nextUpdateId(), [kind]: content });
  }
  const { user, im } = home.slack.owner();
  for (const type of ["reaction_added", "team_join", newWord()]) {
    await home.slack.event({ type, user, item: { channel: im }, channel: im });
  }
  const ignored = await eventually(() => {
    const lines = home.events("webhook.ignored").slice(before);
    return lines.length === kinds.length + 3 && lines;
  });
  expect(ignored.every(({ reason, channel }) => Boolean(reason) && Boolean(channel))).toBe(true);
  expect(await home.api.sessions()).not.toContain(home.directKey(ada.id));
});

describe("what is not there", () => {
  const places = [
    "/x",
    "/webhooks",
    "/webhooks/",
    "/webhooks/irc",
    "/webhooks/__proto__",
    "/webhooks/telegram/second",
    "/v1",
    "/v1/chat",
    "/v1/embeddings/x",
    "/.env",
    "/admin",
    "/webhooks/api",
    "/webhooks/constructor",
  ];

  test.each(["GET", "POST", "PUT", "DELETE"])("is 404 in JSON for %s", async (method) => {
    for (const path of places) {
      const response = await home.runtime.fetch(path, { method, headers: home.api.authorization });
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 404]);
      expect(JSON.parse(text)).toMatchObject({ error: expect.anything() });
    }
  });

  test("is never an error of ours, whatever the path looks like", async () => {
    const prefixes = [
      "/",
      "/webhooks/",
      "/webhooks/telegram/",
      "/sessions/",
      "/sessions?agent=",
      "/v1/",
      "/v1/models/",
      "/setup/",
      "/readyz/",
      "/webhooks/slack/",
    ];
    const path = fc
      .tuple(
        fc.constantFrom(...prefixes),
        fc.oneof(
          hostileText,
          fc.constantFrom(
            "%ff",
            "%00",
            "%2e%2e%2f",
            "%c0%af",
            "agent:main:main",
            "agent:__proto__:main",
          ),
        ),
        fc.constantFrom("", "/export", "/../export", "?x=%zz"),
      )
      .map(
        ([prefix, text, suffix]) =>
          `${prefix}${text.startsWith("%") ? text : encodeURIComponent(text.toWellFormed()).slice(0, 6000)}${suffix}`,
      );
    for (const each of fc.sample(path, { seed, numRuns: 120 })) {
      for (const method of ["GET", "POST"]) {
        const response = await fetch(home.runtime.url + each, {
          redirect: "manual",
          method,
          headers: home.api.authorization,
          signal: AbortSignal.timeout(20_000),
        });
        await response.text();
        expect(response.status, `${method} ${each.slice(0, 300)}`).toBeLessThan(500);
      }
    }
  });
});

describe("a method that a place does not have", () => {
  test.each([
    ["/webhooks/telegram", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]],
    ["/webhooks/slack", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]],
    ["/v1/chat/completions", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]],
    ["/v1/models", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]],
    ["/setup", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]],
    ["/sessions", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]],
    ["/readyz", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]],
  ])("is refused at %s", async (path, methods) => {
    for (const method of methods) {
      const response = await home.runtime.fetch(path, { method, headers: home.api.authorization });
      await response.text();
      expect(response.status, method).toBeGreaterThanOrEqual(400);
      expect(response.status, method).toBeLessThan(500);
    }
  });
});

test("odd headers break nothing", async () => {
  const header = fc.sample(
    fc.tuple(
      fc.constantFrom(
        "authorization",
        "content-type",
        "content-length",
        "idempotency-key",
        "x-pagurus-session-key",
        "x-stainless-retry-count",
        "x-telegram-bot-api-secret-token",
        "x-slack-signature",
        "x-slack-request-timestamp",
        "accept-encoding",
        "x-forwarded-for",
      ),
      fc.oneof(
        fc
          .string({ unit: "binary-ascii", maxLength: 300 })
          .map((text) => text.replaceAll(/[^\x20-\x7e]/g, "")),
        fc.constantFrom("-1", "1e9", "NaN", "\u00ff\u00fe", "a".repeat(5000), "Bearer", "v0=", "0"),
      ),
    ),
    { seed, numRuns: 80 },
  );
  for (const [name, value] of header) {
    if (name === "content-length") continue;
    const paths = [
      "/webhooks/telegram",
      "/webhooks/slack",
      "/v1/chat/completions",
      "/setup",
      "/sessions",
    ];
    for (const path of paths) {
      const method = path === "/sessions" ? "GET" : "POST";
      const headers = {
        ...(name === "authorization" ? {} : home.api.authorization),
        [name]: value,
      };
      const response = await home.runtime.fetch(path, {
        method,
        headers,
        ...(method === "POST" && { body: "{}" }),
      });
      await response.text();
      expect(response.status, `${path} ${name}: ${value.slice(0, 200)}`).toBeLessThan(
        path === "/setup" ? 503 : 500,
      );
    }
  }
});

test("strange names of API conversations are names like others", async () => {
  const names = fc.sample(fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }), {
    seed,
    numRuns: 12,
  });
  for (const name of [...names, "../x", "a:b", "%2e", "A", "a", "\ud800"]) {
    const word = newWord();
    home.model.when(word, { text: word });
    const { status, text } = await home.api.chat(word, { user: name });
    expect([name, status, text]).toEqual([name, 200, word]);
  }
  expect((await home.api.chat(newWord(), { user: "x".repeat(513) })).status).toBe(400);
});

test("and nothing inside has broken on the way", () => {
  expect(home.events().filter(({ level }) => level === "error")).toEqual([]);
  expect(home.runtime.logs.filter(({ level }) => level === "runtime")).toEqual([]);
});

describe("files that are deployed beside the code", () => {
  test.each(["embeddings/words-20000.txt", "embeddings/", "embeddings/README.md"])(
    "are not shown to the world: %s",
    async (path) => {
      const response = await home.runtime.fetch(`/${path}`);
      expect([response.status, await response.json()]).toEqual([404, { error: "not found" }]);
    },
  );
});
