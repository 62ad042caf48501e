import { expect, test } from "vitest";
import { slack } from "#ext/slack/index.ts";
import { telegram } from "#ext/telegram/index.ts";
import { checkOwners } from "#wiring/possible-owners.ts";
import { registry } from "./plugged.ts";

const check = (channel: string, id: string) => checkOwners([{ channel, id }], [telegram, slack]);

test.each([
  ["telegram", "111000111"],
  ["telegram", "-1001110001110"],
  ["slack", "U0FAKE0001"],
  ["slack", "w0fake0001"],
])("%s:%s can be somebody", (channel, id) => {
  expect(check(channel, id)).toEqual({ possible: [{ channel, id }], problems: [] });
});

test.each([
  ["telegrm", "111000111", 'no such channel; did you mean "telegram"?'],
  ["feishu", "7", "no such channel"],
  ["telegram", "ada", "numbers"],
  ["telegram", "U0FAKE0001", "numbers"],
  ["slack", "111000111", "U or W"],
])("%s:%s is nobody, and is told with what is wrong", (channel, id, why) => {
  const { possible, problems } = check(channel, id);
  expect(possible).toEqual([]);
  expect(problems).toMatchObject([{ severity: "error", path: "OWNERS" }]);
  expect(problems[0]?.message).toContain(`"${channel}:${id}" makes nobody an owner`);
  expect(problems[0]?.message).toContain(why);
});

test("the registry counts and tells them, whether or not a chat app is set up", () => {
  const made = registry({ OWNERS: "telegrm:111000111,slack:U0FAKE0001" });
  expect(made.owners()).toEqual([{ channel: "slack", id: "U0FAKE0001" }]);
  expect(made.problems()).toMatchObject([{ path: "OWNERS" }]);
});
