import { describe, expect, test } from "vitest";
import { loadConfig, variable } from "#wiring/config.ts";

const sound = { OWNERS: "telegram:111000111", TIMEZONE: "Europe/Oslo" };
const problems = (env: object) =>
  loadConfig(env).problems.map(({ severity, path }) => `${severity} ${path}`);

describe("variables", () => {
  test("count only as text that is not blank", () => {
    expect(variable({ A: " x " }, "A")).toBe("x");
    for (const value of ["", "  ", 7, null, undefined, {}]) {
      expect(variable({ A: value }, "A")).toBeUndefined();
    }
    expect(variable({}, "toString")).toBeUndefined();
  });
});

describe("owners", () => {
  test("are read from a list, and their ids keep their spelling", () => {
    const env = { ...sound, OWNERS: " telegram:111000111, Slack:U0FAKE0001 ,,feishu:ou:7" };
    expect(loadConfig(env).owners).toEqual([
      { channel: "telegram", id: "111000111" },
      { channel: "slack", id: "U0FAKE0001" },
      { channel: "feishu", id: "ou:7" },
    ]);
    expect(problems(env)).toEqual([]);
  });

  test.each(["111000111", "telegram:", ":7", "telegram:@ada", "tele gram:7", "telegram:1 2"])(
    "are not made by %j, and the others stand",
    (entry) => {
      const env = { ...sound, OWNERS: `${entry},line:U1` };
      expect(loadConfig(env).owners).toEqual([{ channel: "line", id: "U1" }]);
      expect(problems(env)).toEqual(["error OWNERS"]);
    },
  );

  test("that are missing are warned of", () => {
    expect(problems({ TIMEZONE: "UTC" })).toEqual(["warning OWNERS"]);
  });
});

describe("the time zone", () => {
  test.each([
    ["Asia/Shanghai", "Asia/Shanghai"],
    ["europe/oslo", "Europe/Oslo"],
    ["UTC", "UTC"],
  ])("%s is taken", (name, zone) => {
    expect(loadConfig({ ...sound, TIMEZONE: name }).timeZone).toBe(zone);
  });

  test.each(["Mars/Base", "+02:00", "GMT+2h", "Oslo time"])("%s becomes UTC, reported", (name) => {
    const env = { ...sound, TIMEZONE: name };
    expect(loadConfig(env).timeZone).toBe("UTC");
    expect(problems(env)).toEqual(["error TIMEZONE"]);
  });

  test("is UTC when it is not set", () => {
    expect(problems({ OWNERS: sound.OWNERS })).toEqual([]);
    expect(loadConfig({ OWNERS: sound.OWNERS }).timeZone).toBe("UTC");
  });
});

describe("the model and the token", () => {
  test("come from variables before the document", () => {
    const PAGURUS_CONFIG = "{ models: { default: 'anthropic/a' } }";
    expect(loadConfig({ ...sound, PAGURUS_CONFIG }).model).toBe("anthropic/a");
    expect(loadConfig({ ...sound, PAGURUS_CONFIG, MODEL: "openai/b" }).model).toBe("openai/b");
    expect(loadConfig(sound)).toMatchObject({ model: undefined, gatewayToken: undefined });
    expect(loadConfig({ ...sound, GATEWAY_TOKEN: "fake-gateway-token" }).gatewayToken).toBe(
      "fake-gateway-token",
    );
  });
});

describe("secrets", () => {
  test("are every value put into the document and every variable named like one", () => {
    const env = {
      ...sound,
      PAGURUS_CONFIG: "{ channels: { telegram: { accounts: { b: { token: '${SECOND}' } } } } }",
      SECOND: "fake-second",
      OPENAI_API_KEY: "fake-key",
      SLACK_SIGNING_SECRET: "fake-signing-secret",
      TELEGRAM_API_ROOT: "http://127.0.0.1",
      GATEWAY_TOKEN: "fake-gateway",
    };
    expect([...loadConfig(env).secrets].sort()).toEqual(
      ["fake-second", "fake-key", "fake-signing-secret", "fake-gateway"].sort(),
    );
  });
});

describe("the document", () => {
  test("may be a table of wrangler's instead of text", () => {
    const table = { queue: { mode: "collect" } };
    const env = { ...sound, PAGURUS_CONFIG: table };
    expect(loadConfig(env).config.queue.mode).toBe("collect");
    expect(table).toEqual({ queue: { mode: "collect" } });
  });

  // B83 d
  test("that is broken keeps the service up and nobody gets in", () => {
    const env = { ...sound, PAGURUS_CONFIG: "{ agents: " };
    expect(loadConfig(env)).toMatchObject({ closed: "all", config: { queue: { mode: "steer" } } });
    expect(problems(env)).toEqual(["error PAGURUS_CONFIG"]);
  });
});

describe("reading", () => {
  test("happens once for one env", () => {
    const env = { ...sound };
    expect(loadConfig(env)).toBe(loadConfig(env));
    expect(loadConfig({ ...env })).not.toBe(loadConfig(env));
  });
});
