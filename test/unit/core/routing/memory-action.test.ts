import { expect, test } from "vitest";
import { memoryWords } from "#core/routing/memory-action.ts";

test.each([
  ["", { action: "status" }],
  ["WHY do you know it?", { action: "why", argument: "do you know it?" }],
  ["forget confirm a1b2c3 1 3", { action: "forget", argument: "confirm a1b2c3 1 3" }],
  ["adopt memory/a.md", { action: "adopt", argument: "memory/a.md" }],
  ["versions", { action: "versions" }],
  ["restore MEMORY.md 0a1b2c", { action: "restore", argument: "MEMORY.md 0a1b2c" }],
  ["index", { action: "index" }],
  ["index --force", { action: "index", argument: "--force" }],
  ["promote apply", { action: "promote", argument: "apply" }],
  ["show", { action: "show" }],
])("/memory %s is understood", (text, words) => {
  expect(memoryWords(text)).toEqual(words);
});

test.each([
  "forget",
  "why",
  "adopt",
  "restore",
  "search",
  "index please",
  "promote now",
  "off now",
  "dance",
])("/memory %s is not how it is used", (text) => {
  expect(memoryWords(text)).toBeNull();
});
