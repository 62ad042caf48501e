import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Assistant } from "#test/harness/assistant.ts";
import { newWord } from "#test/harness/words.ts";

/** From nothing to the first answer, as an operator goes: set-up, the webhook it made, the clock. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

const reportSchema = z.object({
  ok: z.boolean(),
  model: z.string(),
  channels: z.array(z.object({ channel: z.string(), ok: z.boolean(), lines: z.array(z.string()) })),
});

test("set-up registers the webhook, through which the first message is answered", async () => {
  const response = await home.api.fetch("/setup", { method: "POST" });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.stringContaining('"ok":true')]);
  const report = reportSchema.parse(JSON.parse(text));
  expect(report.model).toContain("anthropic/");
  expect(report.channels.map(({ channel, ok }) => [channel, ok])).toEqual([
    ["telegram", true],
    ["slack", true],
    ["api", true],
  ]);
  expect(home.secrets.filter((secret) => text.includes(secret))).toEqual([]);

  const { webhook, commands } = home.telegram.server;
  expect(webhook?.url).toBe(`${home.runtime.url}/webhooks/telegram`);
  expect(webhook?.allowedUpdates).toEqual(
    expect.arrayContaining(["message", "callback_query", "edited_message"]),
  );
  expect(JSON.stringify(commands)).toContain("whoami");
  const ada = home.telegram.owner();
  const word = newWord();
  home.model.when(word, { text: `heard ${word}` });
  const { update } = ada.compose({ text: word });
  expect((await home.telegram.server.push(update)).status).toBe(200);
  await ada.hears(`heard ${word}`);
});

test("set-up that fails at a platform says where, and may be repeated", async () => {
  home.telegram.server.fail("setWebhook", {
    kind: "refused",
    status: 401,
    description: "Unauthorized",
  });
  const failed = await home.api.fetch("/setup", { method: "POST" });
  expect(failed.status).toBe(502);
  const report = reportSchema.parse(await failed.json());
  expect(report.channels.find(({ channel }) => channel === "telegram")?.ok).toBe(false);
  expect(report.channels.find(({ channel }) => channel === "slack")?.ok).toBe(true);
  expect((await home.api.fetch("/setup", { method: "POST" })).status).toBe(200);
});

test("the clock's work ends well and wakes nobody who rests", async () => {
  expect(await home.runtime.scheduled("*/5 * * * *")).toBe("ok");
  expect(home.events("sweep.failed")).toEqual([]);
});

test("two requests of one API conversation at once are both answered", async () => {
  const [user, first, second] = [newWord(), newWord(), newWord()];
  const rules = [{ role: "system", content: "be brief" }];
  home.model.when(first, { text: `heard ${first}` });
  home.model.when(second, { text: `heard ${second}` });
  const ask = (word: string) =>
    home.api.chat("", { user, extra: { messages: [...rules, { role: "user", content: word }] } });
  const [one, two] = await Promise.all([ask(first), ask(second)]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect([one.text, two.text]).toEqual([`heard ${first}`, `heard ${second}`]);
});

const readinessSchema = z.object({
  channels: z.array(z.object({ id: z.string(), state: z.string(), missing: z.array(z.string()) })),
  providers: z.array(z.object({ id: z.string(), state: z.string(), note: z.string().optional() })),
  memory: z.object({ embedder: z.string().nullable(), vectors: z.string().nullable() }),
  problems: z.array(z.object({ path: z.string() })),
});

async function readiness() {
  return readinessSchema.parse(await (await home.runtime.fetch("/readyz")).json());
}

test("a channel that would refuse every message is not ready, and set-up says so", async () => {
  await home.restart({
    vars: { TELEGRAM_WEBHOOK_SECRET: undefined, SLACK_SIGNING_SECRET: undefined },
  });
  const { channels, providers } = await readiness();
  expect(channels.map(({ id, state, missing }) => [id, state, missing])).toEqual([
    ["telegram", "incomplete", ["TELEGRAM_WEBHOOK_SECRET"]],
    ["slack", "incomplete", ["SLACK_SIGNING_SECRET"]],
    ["api", "ready", []],
  ]);
  expect(providers.find(({ id }) => id === "workers-ai")).toMatchObject({
    state: "not-configured",
    note: "Workers AI only works when deployed",
  });
  const response = await home.api.fetch("/setup", { method: "POST" });
  expect(response.status).toBe(502);
  const report = reportSchema.parse(await response.json());
  expect(report.channels.filter(({ ok }) => !ok).map(({ channel }) => channel)).toEqual([
    "telegram",
    "slack",
  ]);
  const linesOf = (id: string) =>
    report.channels.find(({ channel }) => channel === id)?.lines.join("\n");
  expect(linesOf("telegram")).toContain("TELEGRAM_WEBHOOK_SECRET");
  expect(linesOf("slack")).toContain("SLACK_SIGNING_SECRET");
});

test("that nobody owns it is a problem as soon as somebody could write", async () => {
  const none = {
    OWNERS: undefined,
    SLACK_BOT_TOKEN: undefined,
    SLACK_SIGNING_SECRET: undefined,
  };
  await home.restart({ vars: none });
  expect((await readiness()).problems).toContainEqual({ path: "OWNERS" });
  await home.restart({ vars: { ...none, TELEGRAM_BOT_TOKEN: undefined } });
  expect((await readiness()).problems).toEqual([]);
});

test("readiness tells what memory goes by, and that an embedder that was named cannot work", async () => {
  await home.restart({});
  const { memory } = await readiness();
  expect(memory).toEqual({ embedder: "local/glove-lite", vectors: "embedded" });
  await home.restart({ vars: { EMBEDDER: "workers-ai" } });
  const named = await readiness();
  expect(named.memory).toEqual({ embedder: null, vectors: null });
  expect(named.problems).toContainEqual({ path: "EMBEDDER" });
  const text = await (await home.runtime.fetch("/readyz")).text();
  expect(text).toContain("workers-ai does not work: Workers AI only works when deployed");
});
