import { describe, expect, it } from "vitest";
import { slackEnvironment, slackSettingsSchema } from "#ext/slack/settings.ts";
import { newServer, slackChannel, withSlack } from "./slack-rig.ts";

const rig = withSlack();
const context = { origin: "https://pagurus.example.org", commands: [] };
const report = (channel = rig().channel) => channel.setup?.(context);

describe("the set-up report", () => {
  it("names workspace, bot and the address to paste", async () => {
    const { ok, lines } = (await report()) ?? { ok: false, lines: [] };
    expect(ok).toBe(true);
    const text = lines.join("\n");
    expect(text).toContain("Sample (T0FAKE0001)");
    expect(text).toContain("sample_helper (U0FAKEBOT1)");
    expect(text).toContain("https://pagurus.example.org/webhooks/slack");
    expect(text).toContain("app_mention");
    expect(text).not.toContain("missing");
  });

  it("names each missing scope and what it is for", async () => {
    const server = newServer(["chat:write", "im:history"]);
    await server.start();
    const { ok, lines } = (await report(slackChannel(server.apiRoot))) ?? { ok: true, lines: [] };
    expect(ok).toBe(false);
    expect(lines.filter((line) => line.includes("missing scope"))).toHaveLength(7);
    expect(lines).toContain("Slack: missing scope files:read (files people send)");
    await server.stop();
  });

  it.each([
    [{ signingSecret: "" }, "signing secret is missing"],
    [{ teamId: "T0FAKE0009" }, "another workspace: T0FAKE0009"],
    [{ botToken: "xoxb-0-wrong" }, "invalid_auth"],
  ])("is not content with %j", async (settings, words) => {
    const channel = slackChannel(rig().server.apiRoot, settings);
    const result = await report(channel);
    expect(result?.ok).toBe(false);
    expect(result?.lines.join("\n")).toContain(words);
  });

  it("is told without Slack's help too", async () => {
    await rig().server.stop();
    const result = await report();
    expect(result?.ok).toBe(false);
    expect(result?.lines[0]).toMatch(/could not be checked: \w+/);
  });
});

describe("the settings", () => {
  it("need a token, and know their environment variables", () => {
    expect(slackSettingsSchema.safeParse({}).success).toBe(false);
    expect(slackSettingsSchema.safeParse({ botToken: " " }).success).toBe(false);
    expect(slackSettingsSchema.parse({ botToken: "xoxb-0-x" })).toEqual({
      botToken: "xoxb-0-x",
      signingSecret: "",
      apiRoot: "https://slack.com/api",
    });
    expect(Object.keys(slackEnvironment).toSorted()).toEqual(
      Object.keys(slackSettingsSchema.shape).toSorted(),
    );
  });

  it("refuse what they do not know and an API root that is no web address", () => {
    const botToken = "xoxb-0-x";
    expect(slackSettingsSchema.safeParse({ botToken, bottoken: "y" }).success).toBe(false);
    expect(slackSettingsSchema.safeParse({ botToken, apiRoot: "javascript:x" }).success).toBe(
      false,
    );
    expect(slackSettingsSchema.safeParse({ botToken, apiRoot: "slack.com" }).success).toBe(false);
  });
});
