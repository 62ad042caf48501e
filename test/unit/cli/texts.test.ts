import { describe, expect, test } from "vitest";
import { err, ok } from "#contract/result.ts";
import { greeting } from "#cli/greeting.ts";
import { readinessSchema } from "#cli/readiness.ts";
import { errorLine, createServerOutput } from "#cli/server-output.ts";
import { reportText } from "#cli/setup-report.ts";
import { welcomeText } from "#cli/welcome.ts";
import { newWord } from "#test/harness/words.ts";

/** What the command line says, from what the Worker answers. */
function readiness(changes: object = {}) {
  const channels = [
    { id: "telegram", account: "default", state: "not-configured", missing: ["X"] },
    { id: "api", account: "default", state: "ready", missing: [] },
  ];
  return readinessSchema.parse({ ready: true, model: "demo/demo", channels, ...changes });
}

function welcome(
  {
    misspelt = [],
    ...changes
  }: { readonly misspelt?: readonly string[]; [key: string]: unknown } = {},
  fromEnvironment: readonly string[] = [],
  columns?: number,
): string {
  return welcomeText({
    url: "http://127.0.0.1:8787",
    readiness: readiness(changes),
    fromEnvironment,
    misspelt,
    stateFolder: ".wrangler/state",
    columns,
    bold: (text) => `*${text}*`,
    dim: (text) => text,
  });
}

describe("the welcome", () => {
  test("says how to talk, how to get a real model, and where state lives", () => {
    const text = welcome();
    for (const part of ["npm run chat", "ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", ".dev.vars"]) {
      expect(text).toContain(part);
    }
    expect(text).toContain(".wrangler/state");
    expect(text).not.toMatch(/ +$/m);
  });

  test("names the model that answers, and asks for no key then", () => {
    const model = `${newWord()}/${newWord()}`;
    expect(welcome({ model })).toMatch(new RegExp(`Default model +${model}`));
    expect(welcome({ model })).not.toContain("ANTHROPIC_API_KEY");
  });

  test("names what came from the environment, without values", () => {
    expect(welcome({}, ["ANTHROPIC_API_KEY"])).toContain("environment: ANTHROPIC_API_KEY");
  });

  test("says where the key of the API is", () => {
    expect(welcome()).toContain("GATEWAY_TOKEN in .dev.vars");
    expect(welcome({}, ["GATEWAY_TOKEN"])).toContain("GATEWAY_TOKEN in your environment");
  });

  test("says why there is no model", () => {
    const reason = newWord();
    expect(welcome({ ready: false, model: reason })).toContain(`none: ${reason}`);
  });

  test("breaks a long reason between words, under its own text", () => {
    const model = "I know no model of that name and nobody else does";
    expect(welcome({ ready: false, model }, [], 45)).toContain(
      [
        "  Default model  none: I know no model of",
        "                 that name and nobody else",
        "                 does",
      ].join("\n"),
    );
  });

  test("stays readable in a terminal of 90 columns", () => {
    for (const line of welcome().split("\n")) expect(line.length).toBeLessThanOrEqual(90);
  });
});

describe("the greeting of a chat", () => {
  test("names the conversation's model, or says why there is none and how to go on", () => {
    const [model, session, why] = [newWord(), newWord(), `${newWord()} /model picks another one`];
    const known = greeting({ where: "", model: ok(model), session });
    expect(known).toContain(`model ${model}, conversation “${session}”`);
    expect(known).not.toContain("!");
    const unusable = greeting({ where: "", model: err(why), session });
    expect(unusable).toContain(`\n! ${why}\n`);
  });
});

describe("problems", () => {
  const noOwner = { severity: "warning", path: "OWNERS", message: "no owner" };
  const telegram = { id: "telegram", account: "default", state: "ready", missing: [] };

  test("are told in the welcome, each in a line", () => {
    expect(welcome({ problems: [noOwner] })).toContain("\n  ! OWNERS: no owner\n");
    expect(welcome()).not.toContain("!");
  });

  test("are names in .dev.vars that are almost settings, too", () => {
    const line = newWord();
    expect(welcome({ misspelt: [line] })).toContain(`\n  ! ${line}\n`);
  });

  test("are wrapped at the terminal's width, under their own text", () => {
    const problems = [{ ...noOwner, message: "nobody owns it and nobody is answered" }];
    expect(welcome({ problems }, [], 40)).toContain(
      "\n  ! OWNERS: nobody owns it and nobody is\n    answered\n",
    );
  });

  test("are chat apps that would refuse every message, too", () => {
    const missing = ["TELEGRAM_WEBHOOK_SECRET"];
    const work = { ...telegram, account: "work", state: "incomplete", missing };
    const text = welcome({ channels: [telegram, work] });
    expect(text).toContain("telegram set up");
    expect(text).toContain("! telegram (work) does not work yet: set TELEGRAM_WEBHOOK_SECRET");
  });
});

describe("the report of a set-up", () => {
  test("tells done, not possible and not asked for apart", () => {
    const channels = [
      { channel: "telegram", account: "default", ok: true, lines: ["set", "and sound"] },
      { channel: "slack", account: "work", ok: false, lines: ["refused"] },
      { channel: "mail", account: "default", ok: true, lines: ["not set up"] },
      { channel: "api", account: "default", ok: true, lines: ["nothing to set up"] },
    ];
    const ready = readiness({
      channels: [
        { id: "telegram", account: "default", state: "ready" },
        { id: "slack", account: "work", state: "ready" },
        { id: "mail", account: "default", state: "not-configured" },
      ],
    });
    expect(reportText({ ok: false, model: "a/b", channels }, ready)).toBe(
      [
        "  model: a/b",
        "  ✓ telegram: set",
        "      and sound",
        "  ✗ slack (work): refused",
        "  – mail: not set up",
        "",
      ].join("\n"),
    );
  });
});

describe("the server's talk", () => {
  test("is errors only, in one line each", () => {
    const written: string[] = [];
    const output = createServerOutput({ write: (text) => written.push(text) });
    const line = (level: string) => JSON.stringify({ level, event: "turn.failed", why: "a b" });
    output.log("info", line("info"));
    output.log("warn", line("warn"));
    output.log("error", line("error"));
    expect(written).toEqual(['error turn.failed why="a b"\n']);
  });

  test("is that a model failed, with the reason, in words", () => {
    const written: string[] = [];
    const output = createServerOutput({ write: (text) => written.push(text) });
    const failed = { event: "model.failed", turn: "1", model: "a/b", reason: "rate_limit" };
    output.log("warn", JSON.stringify({ ...failed, message: "slow\n down", attempts: 1 }));
    output.log("warn", JSON.stringify({ ...failed, message: "no", attempts: 2 }));
    expect(written).toEqual([
      "warning: a/b failed (rate limit): slow down\n",
      "warning: a/b failed (rate limit, try 2): no\n",
    ]);
  });

  test("is that a model was not reached, and where", () => {
    const written: string[] = [];
    const output = createServerOutput({ write: (text) => written.push(text) });
    const failed = { event: "model.failed", model: "a/b", reason: "timeout", message: "lost" };
    const unreached = "http://127.0.0.1:9";
    output.log("warn", JSON.stringify({ ...failed, attempts: 2, unreached }));
    expect(written).toEqual([`warning: a/b failed (${unreached} not reached, try 2): lost\n`]);
  });

  test("leaves problems of the configuration to the welcome", () => {
    const written: string[] = [];
    const output = createServerOutput({ write: (text) => written.push(text) });
    output.log("error", JSON.stringify({ level: "error", event: "config.problem", path: "X" }));
    expect(written).toEqual([]);
  });

  test("is shown as it is when it is not one of our lines", () => {
    const text = newWord();
    expect(errorLine(text)).toBe(`error ${text}`);
    expect(errorLine(JSON.stringify({ text }))).toContain(text);
  });
});
