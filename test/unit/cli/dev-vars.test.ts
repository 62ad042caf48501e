import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { prepareDevVars, readDevVars, settingNames, withSetting } from "#cli/dev-vars.ts";
import { extensions } from "#ext/index.ts";
import { temporaryDirectory } from "#test/harness/wait.ts";
import { newCode } from "#test/harness/words.ts";

const example = readFileSync(".dev.vars.example", "utf8");
const home = temporaryDirectory();
let folders = 0;

afterEach(() => home.remove());

function root(files: Readonly<Record<string, string>>): string {
  const path = join(home.path, `${(folders += 1)}`);
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

function read(path: string): string {
  return readFileSync(join(path, ".dev.vars"), "utf8");
}

describe("the first start", () => {
  test("makes the file from the example, with a token of its own, for its owner only", () => {
    const first = root({ ".dev.vars.example": example });
    const second = root({ ".dev.vars.example": example });
    const made = prepareDevVars(first, "Europe/Oslo");
    expect(made.made).toBe(true);
    expect(made.values).toEqual(readDevVars(first));
    expect(Object.keys(made.values).toSorted()).toEqual(["GATEWAY_TOKEN", "TIMEZONE"]);
    expect(made.values["TIMEZONE"]).toBe("Europe/Oslo");
    expect(made.values["GATEWAY_TOKEN"]).toMatch(/^[\w-]{32}$/);
    expect(prepareDevVars(second, "UTC").values).not.toEqual(made.values);
    expect(statSync(join(first, ".dev.vars")).mode & 0o777).toBe(0o600);
  });

  test("needs no example", () => {
    expect(prepareDevVars(root({}), "UTC").made).toBe(true);
  });
});

describe("a file that is there", () => {
  test.each([
    ["without a token", ""],
    ["with an empty one", "GATEWAY_TOKEN=\n"],
    ["with one that is commented out", "# GATEWAY_TOKEN=old\n"],
    ["with a comment before the empty one", "# GATEWAY_TOKEN=old\nGATEWAY_TOKEN=\n"],
  ])("%s gets one and keeps the rest", (_name, line) => {
    const key = newCode(30);
    const path = root({ ".dev.vars": `A_KEY=${key}\n${line}B='x # y'` });
    const made = prepareDevVars(path, "Europe/Oslo");
    expect(made.made).toBe(true);
    expect(made.values).toMatchObject({ A_KEY: key, B: "x # y" });
    expect(made.values).not.toHaveProperty("TIMEZONE");
    expect(statSync(join(path, ".dev.vars")).mode & 0o777).toBe(0o600);
  });

  test("with a token stays as it is, byte for byte", () => {
    const text = `GATEWAY_TOKEN="${newCode(20)}"\r\nODD=1`;
    const path = root({ ".dev.vars": text, ".dev.vars.example": example });
    expect(prepareDevVars(path, "UTC").made).toBe(false);
    expect(read(path)).toBe(text);
  });
});

describe("one setting put into a text", () => {
  test("is read back, and every other setting too", () => {
    const name = fc.stringMatching(/^[A-Z][A-Z_]{0,8}$/);
    const value = fc.stringMatching(/^[\w-]{1,12}$/);
    const others = fc.dictionary(name, value, { noNullPrototype: true });
    fc.assert(
      fc.property(others, name, value, (present, added, text) => {
        const lines = Object.entries(present).map(([key, old]) => `${key}=${old}`);
        const made = withSetting(lines.join("\n"), added, text);
        expect(parseEnv(made)).toEqual({ ...present, [added]: text });
      }),
    );
  });
});

describe("the example", () => {
  test("names every variable that an extension reads", () => {
    const named = settingNames(root({ ".dev.vars.example": example }));
    const read = extensions.flatMap((each) =>
      "environment" in each ? Object.values(each.environment) : [],
    );
    for (const name of [...read, "OWNERS", "TIMEZONE", "MODEL", "PAGURUS_CONFIG"]) {
      expect(named).toContain(name);
    }
  });

  test("sets nothing by itself", () => {
    expect(parseEnv(example)).toEqual({});
  });
});
