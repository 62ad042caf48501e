import { describe, expect, test } from "vitest";
import { settingNames } from "#cli/dev-vars.ts";
import { misspeltNames } from "#cli/misspelt.ts";

const known = settingNames(".");

describe("a name in .dev.vars", () => {
  test.each([
    ["ANTROPIC_API_KEY", "ANTHROPIC_API_KEY"],
    ["ANTHROPIC_KEY", "ANTHROPIC_API_KEY"],
    ["anthropic_api_key", "ANTHROPIC_API_KEY"],
    ["TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"],
    ["TELEGRAM_SECRET", "TELEGRAM_WEBHOOK_SECRET"],
    ["OPENAI_KEY", "OPENAI_API_KEY"],
    ["OPENAI_URL", "OPENAI_BASE_URL"],
    ["SLACK_TOKEN", "SLACK_BOT_TOKEN"],
    ["GATEWAY_TOKEN_", "GATEWAY_TOKEN"],
    ["OWNER", "OWNERS"],
    ["TIME_ZONE", "TIMEZONE"],
  ])("that is almost a setting's is told: %s", (name, meant) => {
    const [line, ...more] = misspeltNames([name], { known, config: "" });
    expect(line).toContain(`${name} in .dev.vars`);
    expect(line).toContain(`Did you mean ${meant}?`);
    expect(more).toEqual([]);
  });

  test.each([
    "WEATHER_KEY",
    "NOTION_API_KEY",
    "GITHUB_TOKEN",
    "HOME_ASSISTANT_PASSWORD",
    "LOG_LEVEL",
    "FOO",
    "API_KEY",
  ])("that is near nothing is left alone: %s", (name) => {
    expect(misspeltNames([name], { known, config: "" })).toEqual([]);
  });

  test.each(["PORT", "PAGURUS_URL"])("that only the environment can set is told: %s", (name) => {
    expect(misspeltNames([name], { known, config: "" })).toEqual([
      `${name} in .dev.vars does nothing: it is read from your environment only.`,
    ]);
    expect(misspeltNames([name], { known, config: `\${${name}}` })).toEqual([]);
  });

  test("that is a setting's is right", () => {
    expect(known.length).toBeGreaterThan(10);
    expect(misspeltNames(known, { known, config: "" })).toEqual([]);
  });

  test("that the configuration reads is left alone", () => {
    const config = "{ channels: { slack: { accounts: { b: { botToken: '${SLACK_TOKEN}' } } } } }";
    expect(misspeltNames(["SLACK_TOKEN"], { known, config: "" })).toHaveLength(1);
    expect(misspeltNames(["SLACK_TOKEN"], { known, config })).toEqual([]);
  });
});
