import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Channel } from "#contract/channel.ts";
import { defineChannel } from "#contract/extension.ts";
import { neededSettings } from "#kit/needed-settings.ts";
import { registryFor } from "#wiring/registry.ts";
import { channelExtension, plugged, ports, providerExtension, registry, tool } from "./plugged.ts";

const lines = (made: ReturnType<typeof registry>) =>
  made.problems().map(({ severity, path, message }) => `${severity} ${path}: ${message}`);

describe("channels", () => {
  test("are ready with their variables, else name what is missing", () => {
    const made = registry({ TELEGRAM_TOKEN: "fake-token" });
    expect(made.channel("telegram", "default")).toMatchObject({
      settings: { token: "fake-token", root: "https://api.example.org" },
    });
    expect(made.channel("slack", "default")).toBeUndefined();
    expect(made.channels()).toEqual([
      { id: "telegram", account: "default", state: "ready", missing: [] },
      { id: "slack", account: "default", state: "not-configured", missing: ["SLACK_TOKEN"] },
    ]);
    expect(lines(made)).toEqual([]);
  });

  test("have further accounts from the document, and variables win over it", () => {
    const accounts = { work: { token: "${WORK}" }, default: { token: "fake-old", root: "r" } };
    const made = registry(
      { TELEGRAM_TOKEN: "fake-new", WORK: "fake-work" },
      { document: { channels: { telegram: { accounts } } } },
    );
    expect(made.channel("telegram", "work")).toMatchObject({ settings: { token: "fake-work" } });
    expect(made.channel("telegram", "default")).toMatchObject({
      settings: { token: "fake-new", root: "r" },
    });
    expect(made.channel("telegram", "other")).toBeUndefined();
    expect(made.channel("slack", "work")).toBeUndefined();
  });

  test.each([
    [{}, "not-configured", ["PIGEON_TOKEN", "PIGEON_SECRET"], false],
    [{ PIGEON_TOKEN: "t" }, "incomplete", ["PIGEON_SECRET"], true],
    [{ PIGEON_TOKEN: "t", PIGEON_SECRET: " " }, "incomplete", ["PIGEON_SECRET"], true],
    [{ PIGEON_SECRET: "s" }, "incomplete", ["PIGEON_TOKEN"], false],
    [{ PIGEON_TOKEN: "t", PIGEON_SECRET: "s" }, "ready", [], true],
  ])("that could not hear anybody with %j are %s", (env, state, missing, made) => {
    const pigeon = defineChannel({
      kind: "channel",
      id: "pigeon",
      environment: { token: "PIGEON_TOKEN", secret: "PIGEON_SECRET" },
      settings: z.strictObject({
        token: z.string(),
        secret: z.string().optional().register(neededSettings, {}),
      }),
      create: (account) => ({ id: "pigeon", account }) as unknown as Channel,
    });
    const built = registry(env, { extensions: [pigeon] });
    expect(built.channels()).toEqual([{ id: "pigeon", account: "default", state, missing }]);
    expect(built.channel("pigeon", "default") !== undefined).toBe(made);
  });

  test("name what a further account lacks by its place in the document", () => {
    const accounts = { work: { root: "r" } };
    const made = registry({}, { document: { channels: { telegram: { accounts } } } });
    expect(made.channels()).toContainEqual({
      id: "telegram",
      account: "work",
      state: "incomplete",
      missing: ["channels.telegram.accounts.work.token"],
    });
  });

  test("are off when switched off", () => {
    const document = { channels: { telegram: { enabled: false } } };
    const made = registry({ TELEGRAM_TOKEN: "fake-token" }, { document });
    expect(made.channel("telegram", "default")).toBeUndefined();
    expect(made.channels()[0]).toMatchObject({ state: "off" });
  });

  test("that refuse their settings are invalid, without showing a value", () => {
    const made = registry({ TELEGRAM_TOKEN: "abc" });
    expect(made.channels()[0]).toMatchObject({ state: "invalid", missing: [] });
    expect(lines(made)).toEqual(["error TELEGRAM_TOKEN: too short; it is off"]);
  });

  test("that cannot be made do not take others with them", () => {
    const secret = "throws.plainly";
    const made = registry({ TELEGRAM_TOKEN: secret, SLACK_TOKEN: "fake-token" });
    expect(made.channel("telegram", "default")).toBeUndefined();
    expect(made.channel("slack", "default")).toBeDefined();
    expect(lines(made)[0]).toMatch(/^error channels\.telegram\.accounts\.default: .*it is off$/);
    expect(lines(made).join()).not.toContain(secret);
  });

  test("ignore settings they do not know, with a suggestion", () => {
    const accounts = { work: { token: "fake-work", rott: "x" } };
    const made = registry({}, { document: { channels: { telegram: { accounts } } } });
    expect(made.channel("telegram", "work")).toBeDefined();
    expect(lines(made)).toEqual([
      'warning channels.telegram.accounts.work.rott: unknown setting, ignored; did you mean "root"?',
    ]);
  });

  test("that do not exist are warned of", () => {
    const made = registry({}, { document: { channels: { telegarm: {} } } });
    expect(lines(made)).toEqual([
      'warning channels.telegarm: there is no such channel; did you mean "telegram"?',
    ]);
  });

  test("are made once", () => {
    const made: string[] = [];
    const extensions = [channelExtension("telegram", made)];
    const built = registry({ TELEGRAM_TOKEN: "fake-token" }, { extensions });
    expect(built.channel("telegram", "default")).toBe(built.channel("telegram", "default"));
    expect(made).toEqual(["telegram/default"]);
  });
});

describe("what clashes", () => {
  test.each([
    [[channelExtension("a"), channelExtension("a")]],
    [[providerExtension("a", []), providerExtension("a", [])]],
    [
      [
        { kind: "tools", id: "a", tools: [tool("x")] } as const,
        { kind: "tools", id: "b", tools: [tool("x")] } as const,
      ],
    ],
  ])("throws when it is a fault of the build: %#", (extensions) => {
    expect(() => registry({}, { extensions })).toThrow(/two extensions/);
  });

  test("may share an id across kinds", () => {
    const extensions = [channelExtension("a"), providerExtension("a", ["m"])];
    expect(() => registry({}, { extensions })).not.toThrow();
  });
});

describe("tools", () => {
  const custom = (name: string) => ({ name, description: "d", url: "https://x.example.org" });

  test("are those of extensions and those of the configuration", () => {
    const document = { tools: { custom: [custom("lamp"), custom("read"), custom("lamp")] } };
    const made = registry({}, { document });
    expect(made.tools().map(({ name }) => name)).toEqual(["read", "write", "lamp"]);
    expect(lines(made)).toEqual([
      'error tools.custom "read": there is a tool of this name already; this one is off',
      'error tools.custom "lamp": there is a tool of this name already; this one is off',
    ]);
  });
});

const ai = { run: () => Promise.resolve({}) };

describe("a model by name", () => {
  const bound = { deployed: true, ports: { ...ports, ai } };
  const made = registry({ OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" }, bound);
  test.each([
    ["anthropic/claude-next", "anthropic/claude-next"],
    ["openai/org/model/7", "openai/org/model/7"],
    ["workers-ai/@cf/meta/llama-4", "workers-ai/@cf/meta/llama-4"],
    ["@cf/meta/llama-4", "workers-ai/@cf/meta/llama-4"],
    ["OpenAI", "openai/gpt-5-mini"],
    ["openai/", "openai/gpt-5-mini"],
    ["opus", "anthropic/claude-opus-4"],
    ["Opus 3", "anthropic/claude-opus-3"],
    ["claude haiku", "anthropic/claude-haiku-4"],
    ["gpt-5", "openai/gpt-5"],
    ["gpt5mini", "openai/gpt-5-mini"],
    ["llama", "workers-ai/@cf/meta/llama-4"],
    ["oss", "workers-ai/@cf/openai/gpt-oss"],
  ])("%j is %s", (text, expected) => {
    expect(made.resolveModel(text)).toMatchObject({ ok: true, value: { name: expected } });
  });

  test.each([
    ["opsu", "opus"],
    ["antropic", "anthropic"],
    ["claude-opus-44", "claude-opus-4"],
  ])("%j is unknown, and %j is suggested", (text, meant) => {
    const resolved = made.resolveModel(text);
    expect(resolved.ok).toBe(false);
    expect(resolved).toHaveProperty("error", expect.stringContaining(meant));
  });

  test.each(["", " ", "/", "zzzzzzzz", "../..", "a/b/c"])(
    "%j is an error with a way on",
    (text) => {
      expect(made.resolveModel(text)).toMatchObject({
        ok: false,
        error: expect.stringContaining("provider/name"),
      });
    },
  );

  test.each([
    ["opus", '"opus" would be anthropic/claude-opus-4, but anthropic is not set up: set ANTHROPIC'],
    ["claude-9", "Close to it: anthropic/claude-opus-4"],
    ["claude-9", "(anthropic is not set up: set ANTHROPIC_API_KEY"],
    ["gpt-7", "Close to it: openai/gpt-5-mini, openai/gpt-5"],
    ["gpt-7", "say whose it is: openai/gpt-7."],
    ["llamma", 'Did you mean "llama"?'],
  ])("%j, where only OpenAI is set up, is explained: %s", (text, words) => {
    const resolved = registry({ OPENAI_API_KEY: "k" }).resolveModel(text);
    expect(resolved).toMatchObject({ ok: false, error: expect.stringContaining(words) });
  });

  test("that is unknown is told in sentences, without the commands of a chat", () => {
    const invalid = registry({ MODEL: "gpt-7", ANTHROPIC_API_KEY: "k" });
    const wrong = invalid.resolveModel();
    expect(wrong).toMatchObject({
      error: expect.stringContaining("It is what MODEL says; that is changed in .dev.vars"),
    });
    const document = { models: { default: "gpt-7" } };
    expect(registry({}, { document }).resolveModel()).toMatchObject({
      error: expect.stringContaining("It is what models.default in PAGURUS_CONFIG says."),
    });
    for (const refused of [wrong, invalid.resolveModel("gpt-7"), invalid.resolveModel("gpt-5")]) {
      expect(refused.ok ? "" : refused.error).not.toMatch(/\.\)|\.\.|\/model/);
    }
    expect(invalid.resolveModel("gpt-7")).not.toMatchObject({
      error: expect.stringContaining("MODEL"),
    });
  });

  test("is listed with what can be used first", () => {
    const listed = registry({ OPENAI_API_KEY: "k" }, bound).models.list();
    expect(listed.map(({ name }) => name)).toEqual([
      "openai/gpt-5-mini",
      "openai/gpt-5",
      "workers-ai/@cf/meta/llama-4",
      "workers-ai/@cf/openai/gpt-oss",
      "demo/demo",
      "anthropic",
    ]);
    expect(listed.at(-1)).toEqual({
      name: "anthropic",
      usable: false,
      note: "set ANTHROPIC_API_KEY",
    });
  });

  test("is named by its provider alone where that knows none by name", () => {
    const made = registry({}, { extensions: [providerExtension("own", [], false)] });
    expect(made.models.list()).toEqual([
      { name: "own/…", usable: true, note: "whatever your server calls it" },
    ]);
  });

  test("shows which providers are ready", () => {
    expect(registry({ OPENAI_API_KEY: "k" }).providers()).toContainEqual({
      id: "anthropic",
      state: "not-configured",
      missing: ["ANTHROPIC_API_KEY"],
    });
  });
});

describe("one registry per env", () => {
  test("is made at the first use", () => {
    const env = {};
    const first = registryFor(env, () => registry());
    expect(registryFor(env, () => registry({}, { extensions: plugged.slice(1) }))).toBe(first);
  });
});
