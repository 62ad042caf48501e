import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { longestFiles } from "#test/tools/longest-first.ts";

test("files that are run first are there, each once", () => {
  expect(longestFiles.filter((path) => !existsSync(path))).toEqual([]);
  expect(new Set(longestFiles).size).toBe(longestFiles.length);
});
