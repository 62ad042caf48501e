import { describe, expect, it } from "vitest";
import { allowedUpdates, webhookUrl } from "#ext/telegram/setup.ts";
import { newChannel, secret, server, telegramForEachTest, token } from "./telegram-rig.ts";

const origin = "https://pagurus.example.org";
const commands = [
  { name: "help", description: "What I can do" },
  { name: "/New", description: "x".repeat(400) },
  { name: "dock-telegram", description: "not a name Telegram takes" },
];
telegramForEachTest();

async function setUp(settings: Record<string, string | undefined> = {}, account = "default") {
  return newChannel(server.url, { settings, account }).setup?.({ origin, commands });
}

describe("setUpTelegram", () => {
  it("registers the webhook with its secret, and the menu", async () => {
    const report = await setUp();
    expect(report).toEqual({
      ok: true,
      lines: [
        "Bot: @sample_helper_bot.",
        `Webhook: ${origin}/webhooks/telegram.`,
        "Commands: 2 in the menu, 1 left out.",
        "Webhook status: 0 updates waiting.",
      ],
    });
    expect(server.webhook).toEqual({
      url: `${origin}/webhooks/telegram`,
      secretToken: secret,
      allowedUpdates: [...allowedUpdates],
      maxConnections: 40,
    });
    expect(server.commands).toEqual([
      { command: "help", description: "What I can do" },
      { command: "new", description: "x".repeat(256) },
    ]);
  });

  it("may be repeated", async () => {
    const first = await setUp();
    expect(await setUp()).toEqual(first);
  });

  it("gives another account its own address", async () => {
    await setUp({}, "work");
    expect(server.webhook?.url).toBe(`${origin}/webhooks/telegram/work`);
    expect(webhookUrl("https://a.example/", "default")).toBe("https://a.example/webhooks/telegram");
  });

  it("registers nothing without a secret and says why", async () => {
    const report = await setUp({ webhookSecret: undefined });
    expect(report?.ok).toBe(false);
    expect(report?.lines.join("\n")).toContain("TELEGRAM_WEBHOOK_SECRET is missing");
    expect(server.webhook).toBeUndefined();
  });

  it("stops at a token Telegram does not know", async () => {
    const other = `${token}-other`;
    const report = await setUp({ botToken: other });
    expect(report).toEqual({ ok: false, lines: ["Token: the bot token is not valid."] });
  });

  it("reports a name that is not the bot's, and hints at a missing one", async () => {
    const wrong = await setUp({ username: "another_bot" });
    expect(wrong?.ok).toBe(false);
    expect(wrong?.lines.join(" ")).toContain("@another_bot, but the bot is @sample_helper_bot");
    expect(await setUp({ username: "Sample_Helper_Bot" })).toMatchObject({ ok: true });
  });

  it("goes on after a step that failed and reports the last delivery's fault", async () => {
    server.fail("setMyCommands", { kind: "serverError", status: 500 });
    server.lastWebhookError = "Wrong response from the webhook: 500";
    const report = await setUp();
    expect(report?.ok).toBe(false);
    expect(report?.lines).toContain("Commands: Telegram failed with 500.");
    expect(report?.lines).toContain("Last delivery failed: Wrong response from the webhook: 500.");
    expect(server.webhook?.url).toBe(`${origin}/webhooks/telegram`);
  });

  it("passes on why an address is refused", async () => {
    const channel = newChannel(server.url);
    const report = await channel.setup?.({ origin: "http://127.0.0.1:8787", commands: [] });
    expect(report?.ok).toBe(false);
    expect(report?.lines.join("\n")).toContain("An HTTPS URL must be provided");
  });
});
