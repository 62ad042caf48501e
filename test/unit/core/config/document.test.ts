import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { configSchema } from "#contract/config.ts";
import { readDocument } from "#core/config/document.ts";

const none = () => undefined;
const read = (document: unknown, variables: Record<string, string> = {}) =>
  readDocument(JSON.stringify(document), (name) => variables[name]);
const lines = (reading: ReturnType<typeof readDocument>) =>
  reading.problems.map(({ severity, path, message }) => `${severity} ${path}: ${message}`);

describe("a sound document", () => {
  test("is read as JSON5, with defaults for what it leaves out", () => {
    const reading = readDocument("{ queue: { mode: 'collect', }, // a comment\n}", none);
    expect(reading.problems).toEqual([]);
    expect(reading.closed).toEqual([]);
    expect(reading.config.queue).toEqual({ mode: "collect", cap: 20 });
    expect(reading.config.limits.steps).toBe(60);
  });

  test("may be absent", () => {
    expect(readDocument(undefined, none)).toMatchObject({ closed: [], problems: [] });
    expect(readDocument("  \n", none).config).toEqual(configSchema.parse({}));
  });

  // B16
  test.each([[-1009990001], ["-1009990001"], ["*"], ["C0FAKE0001"], ["12036301@g.us"]])(
    "takes %j as a group",
    (id) => {
      const reading = read({ channels: { telegram: { groups: { allow: [id] } } } });
      expect(reading.problems).toEqual([]);
      expect(reading.config.channels["telegram"]?.groups.allow).toEqual([String(id)]);
    },
  );
});

describe("a broken document", () => {
  // B83 d
  test.each(["{", "{ agents: ", "[]", "7", "null", "'text'"])("%j admits nobody", (text) => {
    const reading = readDocument(text, none);
    expect(reading.closed).toBe("all");
    expect(reading.config).toEqual(configSchema.parse({}));
    expect(lines(reading)[0]).toMatch(/^error PAGURUS_CONFIG: .*nobody is admitted$/);
  });

  // B83 c
  test("closes only the channel whose settings are wrong, and names path and value", () => {
    const reading = read({
      channels: { telegram: { allowFrom: "all" }, slack: { dmPolicy: "open" } },
      queue: { mode: "collect" },
    });
    expect(reading.closed).toEqual(["telegram"]);
    expect(reading.config.channels["slack"]?.dmPolicy).toBe("open");
    expect(reading.config.queue.mode).toBe("collect");
    expect(lines(reading)).toEqual([
      expect.stringMatching(
        /^error channels\.telegram\.allowFrom: .*"all".*nobody is admitted on telegram$/,
      ),
    ]);
  });

  // B16
  test.each(["-100999000x", "100999000x", "", "two words", "-"])("refuses %j as a group", (id) => {
    const reading = read({ channels: { telegram: { groups: { allow: ["*", id] } } } });
    expect(reading.closed).toEqual(["telegram"]);
    expect(lines(reading).join("\n")).toContain("channels.telegram.groups.allow[1]");
  });

  test.each([{ channels: [] }, { channels: 3 }, { bindings: {} }, { bindings: [{ agent: "A!" }] }])(
    "closes everything for %j",
    (document) => {
      const reading = read({ ...document, queue: { mode: "collect" } });
      expect(reading.closed).toBe("all");
      expect(reading.config.queue.mode).toBe("collect");
    },
  );

  test("closes everything for an unknown key in a binding, which would widen it", () => {
    const reading = read({ bindings: [{ agent: "work", match: { peeer: "C0FAKE0001" } }] });
    expect(reading.closed).toBe("all");
    expect(lines(reading)[0]).toMatch(/^error bindings\[0\]\.match: unknown peeer/);
  });

  test("puts another section at its defaults and says so", () => {
    const reading = read({ limits: { steps: "many", toolSeconds: 5 }, queue: { cap: 3 } });
    expect(reading.closed).toEqual([]);
    expect(reading.config.limits).toEqual(configSchema.parse({}).limits);
    expect(reading.config.queue.cap).toBe(3);
    expect(lines(reading)).toEqual([
      expect.stringMatching(/^error limits\.steps: .*"many".*limits is at its defaults$/),
    ]);
  });

  test("wants minutes for the idle policy", () => {
    const reading = read({ session: { reset: { mode: "idle" } } });
    expect(lines(reading)[0]).toContain("error session.reset.idleMinutes: mode idle needs");
  });
});

describe("an unknown key", () => {
  // B83 b
  test.each([
    [{ agentz: {} }, "agentz", "agents"],
    [{ session: { dmScop: "main" } }, "session.dmScop", "dmScope"],
    [{ channels: { telegram: { allowForm: [] } } }, "channels.telegram.allowForm", "allowFrom"],
    [
      { session: { resetByKind: { direct: { atHuor: 1 } } } },
      "session.resetByKind.direct.atHuor",
      "atHour",
    ],
    [{ agents: { list: [{ id: "a", modle: "x" }] } }, "agents.list[0].modle", "model"],
  ])("in %j is ignored with a suggestion", (document, path, meant) => {
    const reading = read({ ...document, models: { thinking: "high" } });
    expect(lines(reading)).toEqual([
      `warning ${path}: unknown key, ignored; did you mean "${meant}"?`,
    ]);
    expect(reading.closed).toEqual([]);
    expect(reading.config.models.thinking).toBe("high");
  });

  test("unlike any known one gets no suggestion", () => {
    expect(lines(read({ zzzzzz: 1 }))).toEqual(["warning zzzzzz: unknown key, ignored"]);
  });
});

describe("variables", () => {
  const tool = { name: "lamp", description: "switches the lamp", url: "https://${HOST}/lamp" };

  test("are put into accounts and custom tools", () => {
    const reading = read(
      {
        channels: { telegram: { accounts: { work: { token: "${WORK}" } } } },
        tools: { custom: [{ ...tool, headers: { authorization: "Bearer ${KEY}" } }] },
      },
      { WORK: "fake-1", HOST: "lamp.example.org", KEY: "fake-${WORK}" },
    );
    expect(reading.problems).toEqual([]);
    expect(reading.config.channels["telegram"]?.accounts).toEqual({ work: { token: "fake-1" } });
    expect(reading.config.tools.custom[0]).toMatchObject({
      url: "https://lamp.example.org/lamp",
      headers: { authorization: "Bearer fake-${WORK}" },
    });
    expect(reading.secrets).toEqual(["fake-1", "lamp.example.org", "fake-${WORK}"]);
  });

  // B83 a
  test("that are not set switch off what needs them, and nothing else", () => {
    const reading = read(
      {
        channels: {
          telegram: { accounts: { work: { token: "${NOPE}" }, home: { token: "${HOME_TOKEN}" } } },
        },
        tools: { custom: [tool, { ...tool, name: "door", url: "https://door.example.org" }] },
      },
      { HOME_TOKEN: "fake-2" },
    );
    expect(lines(reading)).toEqual([
      'warning channels.telegram.accounts.work.token: NOPE is not set, so the account "work" of telegram is off',
      "warning tools.custom[0].url: HOST is not set, so this tool is off",
    ]);
    expect(reading.config.channels["telegram"]?.accounts).toEqual({ home: { token: "fake-2" } });
    expect(reading.config.tools.custom.map(({ name }) => name)).toEqual(["door"]);
    expect(JSON.stringify(reading.config)).not.toContain("${");
  });

  test("elsewhere stay as they are written, with a warning", () => {
    const reading = read({ agents: { list: [{ id: "main", model: "${NAME}" }] } }, { NAME: "x" });
    expect(reading.config.agents.list[0]?.model).toBe("${NAME}");
    expect(lines(reading)[0]).toMatch(/^warning agents\.list\[0\]\.model: /);
  });
});

describe("custom tools", () => {
  const good = { name: "good", description: "works", url: "https://good.example.org" };

  test("that are broken are left out under their own number", () => {
    const reading = read({
      tools: {
        custom: [
          { ...good, url: "https://${NOPE}" },
          good,
          { ...good, url: "ftp://files.example.org" },
          { ...good, name: "other", parameters: { type: "string" } },
          { ...good, name: "third", colour: "red" },
        ],
      },
    });
    expect(reading.config.tools.custom.map(({ name }) => name)).toEqual(["good", "third"]);
    expect(lines(reading).map((line) => line.split(":")[0])).toEqual([
      "warning tools.custom[0].url",
      "error tools.custom[2].url",
      "error tools.custom[3].parameters",
      "warning tools.custom[4].colour",
    ]);
  });

  test("never have their headers shown", () => {
    const reading = read({ tools: { custom: [{ ...good, headers: { key: 98_765_432 } }] } });
    expect(lines(reading).join()).toContain("tools.custom[0].headers.key");
    expect(lines(reading).join()).not.toContain("98765432");
  });
});

describe("names", () => {
  test("that point nowhere or come twice are warned of", () => {
    const reading = read({
      agents: { list: [{ id: "work" }, { id: "work" }] },
      bindings: [{ agent: "wrok", match: {} }],
      session: { identityLinks: { ada: ["telegram:111000111"], eve: ["Telegram:111000111"] } },
    });
    expect(lines(reading)).toEqual([
      'warning agents.list[1].id: "work" is there already',
      'warning bindings[0].agent: agents.list has no "wrok"; did you mean "work"?',
      'warning session.identityLinks.eve[0]: "Telegram:111000111" is linked already',
    ]);
  });
});

describe("any document at all", () => {
  const key = fc.constantFrom(
    "channels",
    "bindings",
    "tools",
    "custom",
    "agents",
    "list",
    "telegram",
    "allowFrom",
    "groups",
    "accounts",
    "session",
    "match",
    "__proto__",
    "constructor",
    "x",
  );
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie("node"), { maxLength: 3 }),
      fc
        .array(fc.tuple(key, tie("node")), { maxLength: 5 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));

  test("gives settings to run with, and closes whatever about access it could not read", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, tree.node), { maxLength: 4 }), (entries) => {
        const document = Object.fromEntries(entries);
        const reading = read(document);
        expect(configSchema.safeParse(reading.config).success).toBe(true);
        const bindings: unknown = document["bindings"];
        if (bindings !== undefined && reading.closed !== "all") {
          expect(reading.config.bindings).toHaveLength((bindings as unknown[]).length);
        }
      }),
    );
  });

  test("of plain text never throws", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        readDocument(text, none);
      }),
    );
  });
});
