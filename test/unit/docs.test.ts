import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandTable } from "#core/routing/command.ts";

/** Pages that repeat what code says are held to it. */
test("the page of commands has every command, and says who may give it", () => {
  const page = readFileSync("docs/design/commands.md", "utf8");
  const rows = [...page.matchAll(/^\| `\/([a-z]+)[^`]*`( \*)? \|/gm)];
  const listed = rows.map(([, name, guest]) => `${name} ${guest ? "anyone" : "owner"}`);
  const known = commandTable.map(({ name, access }) => `${name} ${access}`);
  expect(listed.toSorted()).toEqual(known.toSorted());
});
