import { describe, expect, it } from "vitest";
import { fitBootstrap } from "#core/turn/fit-bootstrap.ts";
import { bootstrapFiles } from "#kit/bootstrap-files.ts";
import { mayChange } from "#kit/protected-paths.ts";

const budget = { fileChars: 1_000, totalChars: 2_500 };
const files = (texts: Record<string, string>) => ({
  version: "1",
  files: Object.entries(texts).map(([path, text]) => ({ path, text })),
});

describe("fitBootstrap", () => {
  it("keeps one order, whatever the storage gives", () => {
    const bootstrap = files({ "MEMORY.md": "m", "SOUL.md": "s", "AGENTS.md": "a", "USER.md": "u" });
    const paths = fitBootstrap(bootstrap, budget, true).map((file) => file.path);
    expect(paths).toEqual(["AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md"]);
  });

  it("shows what is about the owner only where every reader is one", () => {
    const bootstrap = files({ "MEMORY.md": "m", "USER.md": "u", "SOUL.md": "s" });
    expect(fitBootstrap(bootstrap, budget, false).map((file) => file.path)).toEqual(["SOUL.md"]);
  });

  it("keeps head and tail of a file over its budget, and says how much is gone", () => {
    const text = `begin ${"x".repeat(3_000)} end`;
    const [file] = fitBootstrap(files({ "AGENTS.md": text }), budget, true);
    expect(file?.text.startsWith("begin")).toBe(true);
    expect(file?.text.endsWith("end")).toBe(true);
    expect(file?.cut).toBe(text.length - 700 - 200);
    expect(file?.text).toContain(`${file?.cut} characters of AGENTS.md left out`);
  });

  it("holds the budget of all files together", () => {
    const long = "y".repeat(1_000);
    const bootstrap = files({
      "AGENTS.md": long,
      "SOUL.md": long,
      "USER.md": long,
      "MEMORY.md": long,
    });
    const fitted = fitBootstrap(bootstrap, budget, true);
    const total = fitted.reduce((sum, file) => sum + file.text.length, 0);
    expect(total).toBeLessThanOrEqual(budget.totalChars + 200);
    expect(fitted.at(-1)?.cut).toBeGreaterThan(0);
  });

  it("leaves the memory its part, however long what stands before it is", () => {
    const long = "y".repeat(1_000_000);
    const bootstrap = files({
      "AGENTS.md": long,
      "SOUL.md": long,
      "TOOLS.md": long,
      "USER.md": long,
      "MEMORY.md": "Bit is the dog.",
    });
    const fitted = fitBootstrap(bootstrap, budget, true);
    expect(fitted.at(-1)).toEqual({ path: "MEMORY.md", text: "Bit is the dog.", cut: 0 });
    const [first, ...others] = fitted.slice(0, -1).map(({ cut }) => cut);
    expect(others).toEqual([first, first, first]);
    const total = fitted.reduce((sum, file) => sum + file.text.length, 0);
    expect(total).toBeLessThanOrEqual(budget.totalChars + 200);
  });

  it("never cuts a character in two", () => {
    const [file] = fitBootstrap(files({ "AGENTS.md": "🦀".repeat(2_001) }), budget, true);
    expect(file?.text.isWellFormed()).toBe(true);
  });

  it("leaves out what is empty", () => {
    expect(fitBootstrap(files({ "AGENTS.md": " \n" }), budget, true)).toEqual([]);
  });
});

it("gives the prompt no file that a tool could change without the owner", () => {
  const paths = [...bootstrapFiles.map(({ path }) => path), "OTHER.md"];
  const all = { version: "1", files: paths.map((path) => ({ path, text: "x" })) };
  const shown = fitBootstrap(all, budget, true).map((file) => file.path);
  expect(shown).toHaveLength(6);
  expect(shown).not.toContain("OTHER.md");
  for (const path of shown) {
    const facts = { interactiveOwner: true, tainted: true };
    expect(mayChange(path, "append", facts).ok, path).toBe(false);
    expect(mayChange(path, "rewrite", { ...facts, interactiveOwner: false }).ok, path).toBe(false);
  }
});
