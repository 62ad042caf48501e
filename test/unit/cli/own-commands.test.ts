import { expect, test } from "vitest";
import { untilQuit } from "#cli/own-commands.ts";

test.each([
  ["/quit\n", { message: "", quits: true }],
  [" /exit ", { message: "", quits: true }],
  ["hello\nthere\n/quit\nnever read", { message: "hello\nthere", quits: true }],
  ["what does /quit do?\n", { message: "what does /quit do?", quits: false }],
  ["\n", { message: "", quits: false }],
])("%j without a terminal", (text, expected) => {
  expect(untilQuit(text)).toEqual(expected);
});
