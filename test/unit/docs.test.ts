import { existsSync, readdirSync, readFileSync } from "node:fs";
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

const pages = [
  "README.md",
  "AGENTS.md",
  "docs/configuration.md",
  ...readdirSync("docs/design").map((name) => `docs/design/${name}`),
];

/** Paths of this tree in backticks; `kit/x.ts` and `core/x.ts` are short for those under src. */
function pathsIn(page: string): string[] {
  const inTicks = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
  const ours =
    /^(src|test|docs|extensions|durable-objects|bench|tools|migrations|core|kit|contract|platform|wiring)\/[\w./-]*$/;
  return inTicks.filter((text) => ours.test(text));
}

test.each(pages)("every file that %s names exists", (page) => {
  const missing = pathsIn(readFileSync(page, "utf8")).filter(
    (path) => !existsSync(path) && !existsSync(`src/${path}`),
  );
  expect(missing).toEqual([]);
});

test("names of files are found in a page", () => {
  const page = "see `kit/redact.ts` and `test/unit/`, or `npm test`, `application/json`";
  expect(pathsIn(page)).toEqual(["kit/redact.ts", "test/unit/"]);
});
