import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { workspaceFolder, workspacePath } from "#kit/workspace-path.ts";

const refused = (path: string) => !workspacePath(path).ok;

describe("workspacePath", () => {
  // B57
  test.each([
    "../config.json",
    "memory/..",
    "memory/x/../../cfg",
    "memory/%2e%2e/cfg",
    "memory/%2E%2E%2fcfg",
    "memory\\..\\cfg",
    "/etc/passwd",
    "C:/notes.md",
    "",
    ".",
    "./",
    "memory//a.md",
    "memory/",
    "memory/./a.md",
    "memory/.../a.md",
    "a\u0000.md",
    "a\nb.md",
    "a\u202Egnp.md",
    "a\u200B.md",
    "a\u2028.md",
    " a.md",
    "memory /a.md",
    "a\uD800.md",
    ".pagurus/versions/AGENTS.md",
    ".Pagurus/x",
    "x/.pagurus/y",
    ".ｐagurus/x",
    `${"a".repeat(600)}.md`,
  ])("refuses %j", (path) => {
    expect(refused(path)).toBe(true);
  });

  // B57
  test.each([
    "memory/日記.md",
    "memory/a..b.md",
    "AGENTS.md",
    ".notes",
    "100% sure.md",
    "Über uns/Ärger.md",
    "👨‍👩‍👧/plans.md",
    "a+b (1), [x] & y.md",
  ])("takes %j as it is", (path) => {
    expect(workspacePath(path)).toEqual({ ok: true, value: path.normalize("NFC") });
  });

  test("makes one spelling of two", () => {
    expect(workspacePath("Cafe\u0301.md")).toEqual({ ok: true, value: "Caf\u00e9.md" });
    expect(workspacePath("./notes/a.md")).toEqual({ ok: true, value: "notes/a.md" });
  });

  test("lets nothing through that climbs, is absolute or reaches .pagurus, whatever it is built of", () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      "%2e",
      "a",
      ".pagurus",
      "日",
      " ",
      "./",
      "%",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const result = workspacePath(pieces.join(""));
        if (!result.ok) return;
        const segments = result.value.split("/");
        expect(segments).not.toContain("..");
        expect(segments).not.toContain(".");
        expect(segments).not.toContain("");
        expect(segments).not.toContain(".pagurus");
        expect(result.value).not.toMatch(/\\|%2e/i);
        expect(workspacePath(result.value)).toEqual(result);
      }),
    );
  });

  test("names what is wrong, for the model, without repeating a long name", () => {
    const result = workspacePath(`${"x".repeat(900)}/../y`);
    expect(result.ok ? "" : result.error.length).toBeLessThan(200);
  });
});

describe("workspaceFolder", () => {
  test.each([
    ["", ""],
    [".", ""],
    ["./", ""],
    ["/", ""],
    ["memory", "memory"],
    ["memory/", "memory"],
  ])("%j is %j", (input, value) => {
    expect(workspaceFolder(input)).toEqual({ ok: true, value });
  });

  test.each(["..", "../x", "/etc", "a//b", ".pagurus", ".pagurus/"])("refuses %j", (input) => {
    expect(workspaceFolder(input).ok).toBe(false);
  });
});
