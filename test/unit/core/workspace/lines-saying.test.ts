import { expect, test } from "vitest";
import { linesSaying } from "#core/workspace/lines-saying.ts";
import { createForgetter } from "#kit/text/forget-text.ts";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

const fact = `Ada's cousin lives in Trondheim, ${"and picks cloudberries each summer, ".repeat(20)}so she says`;

test("names each line of each file that says a fact, of any length and in any number of files", async () => {
  const world = new WorkspaceWorld();
  for (let index = 0; index < 450; index += 1) world.store.editOutside(`attic/${index}.md`, "old");
  world.store.editOutside("family.md", `Hm.\n${`${fact}!\n`.repeat(25)}`);
  world.store.editOutside("zoo.md", `${"x ".repeat(2_000)} ${fact.toUpperCase()}.`);
  world.store.listed = 150;
  const found: string[] = [];
  let after: string | null = null;
  let parts = 0;
  do {
    const page = await linesSaying(
      { store: world.store, reader: world.reader() },
      createForgetter([fact]),
      after,
    );
    found.push(...page.lines);
    after = page.next;
    parts += 1;
  } while (after !== null);
  expect(parts).toBe(4);
  expect(found).toHaveLength(26);
  expect(found[0]).toBe("family.md:2");
  expect(found.at(-1)).toBe("zoo.md:1");
});
