import { describe, expect, test } from "vitest";
import { readOptions } from "#cli/options.ts";

/** What was typed behind `npm run …`. */
const setup = {
  script: "setup",
  help: "",
  config: {
    options: { url: { type: "string" }, token: { type: "string" }, help: { type: "boolean" } },
  },
} as const;

function error(args: readonly string[], environment: NodeJS.ProcessEnv = {}): string {
  const read = readOptions(setup, args, environment);
  return read.ok ? "" : read.error;
}

test("options that are known are read", () => {
  const read = readOptions(setup, ["--url", "https://a.example"], {});
  expect(read).toMatchObject({ ok: true, value: { values: { url: "https://a.example" } } });
});

describe("what cannot be understood is a sentence:", () => {
  test.each([
    [["--ulr", "x"], "There is no option --ulr. Did you mean --url?"],
    [["--tokne=x"], "There is no option --tokne. Did you mean --token?"],
    [["--xyzzy"], "There is no option --xyzzy."],
    [["--url"], "--url needs a value behind it."],
    [["--url", "--token", "x"], "--url needs a value behind it."],
    [["--help=yes"], "--help does not take a value."],
    [["a.example"], '"a.example" is not an option. Did you mean --url a.example?'],
    [["please"], '"please" is not an option.'],
  ])("%j", (args, expected) => {
    expect(error(args)).toBe(expected);
  });
});

describe("an option that npm kept for itself", () => {
  const environment = { npm_lifecycle_event: "setup", npm_config_url: "true" };

  test("is explained", () => {
    expect(error(["https://a.example"], environment)).toBe(
      "npm kept --url for itself. Put -- in front: npm run setup -- --url …",
    );
  });

  test("is not what was said behind the dashes, nor a setting of another script", () => {
    expect(error(["--url", "https://a.example"], environment)).toBe("");
    expect(error(["--url=https://a.example"], environment)).toBe("");
    expect(error([], { ...environment, npm_lifecycle_event: "test" })).toBe("");
  });
});
