import { describe, expect, it } from "vitest";
import { claudeModel, defaultModel, offeredModels } from "#ext/anthropic/models.ts";
import { baseUrlOf, settingsSchema } from "#ext/anthropic/settings.ts";

describe("settings", () => {
  it("need a key and nothing else", () => {
    expect(settingsSchema.safeParse({}).success).toBe(false);
    expect(settingsSchema.safeParse({ apiKey: " " }).success).toBe(false);
    expect(settingsSchema.parse({ apiKey: " k \n" })).toEqual({ apiKey: "k" });
    expect(settingsSchema.safeParse({ apiKey: "k", baseUrl: "ftp://host" }).success).toBe(false);
    expect(settingsSchema.safeParse({ apiKey: "k", apikey: "k" }).success).toBe(false);
  });

  it.each([
    [undefined, "https://api.anthropic.com"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["https://gateway.test/anthropic/", "https://gateway.test/anthropic"],
    ["https://gateway.test/v1", "https://gateway.test"],
  ])("reads the base URL %s", (baseUrl, expected) => {
    const settings = settingsSchema.parse(baseUrl ? { apiKey: "k", baseUrl } : { apiKey: "k" });
    expect(baseUrlOf(settings)).toBe(expected);
  });
});

describe("models", () => {
  it("offer the default, all with a price", () => {
    expect(offeredModels.map(({ id }) => id)).toContain(defaultModel);
    for (const { price } of offeredModels) expect(price?.output).toBeGreaterThan(0);
  });

  it("take a dated snapshot for its model", () => {
    expect(claudeModel("claude-haiku-4-5-20251001").info).toMatchObject({
      id: "claude-haiku-4-5-20251001",
      price: { input: 1, output: 5 },
    });
  });
});
