import { describe, expect, it } from "vitest";
import { telegram } from "#ext/telegram/index.ts";
import { botId, telegramSettingsSchema } from "#ext/telegram/settings.ts";
import { token } from "./telegram-rig.ts";

describe("telegram settings", () => {
  it("needs a token and nothing else", () => {
    const settings = telegramSettingsSchema.parse({ botToken: token });
    expect(settings).toEqual({ botToken: token, apiRoot: "https://api.telegram.org" });
    expect(telegramSettingsSchema.safeParse({}).success).toBe(false);
  });

  it("takes an address with a trailing slash and a name with an @", () => {
    const raw = { botToken: token, apiRoot: "http://127.0.0.1:8081/", username: "@garden_bot" };
    expect(telegramSettingsSchema.parse(raw)).toMatchObject({
      apiRoot: "http://127.0.0.1:8081",
      username: "garden_bot",
    });
  });

  it.each([
    ["botToken", "no token at all"],
    ["botToken", "12345:short"],
    ["webhookSecret", "with spaces"],
    ["webhookSecret", "é"],
    ["apiRoot", "ftp://example.org"],
    ["apiRoot", "example.org"],
    ["surprise", "x"],
  ])("refuses %s %j and does not repeat it", (name, value) => {
    const result = telegramSettingsSchema.safeParse({ botToken: token, [name]: value });
    expect(result.success).toBe(false);
    expect(JSON.stringify(result.error?.issues)).not.toContain(token);
    if (name === "botToken") expect(JSON.stringify(result.error?.issues)).not.toContain(value);
  });

  it("knows the bot's id from its token", () => {
    expect(botId({ botToken: token })).toBe(Number(token.split(":")[0]));
  });

  it("names an environment variable for every setting", () => {
    const names = Object.keys(telegram.environment).toSorted();
    expect(names).toEqual(["apiRoot", "botToken", "username", "webhookSecret"]);
  });
});
