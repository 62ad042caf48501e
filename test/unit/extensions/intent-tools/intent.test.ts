import { describe, expect, test } from "vitest";
import { intentTools } from "#ext/intent-tools/index.ts";
import { ToolRig } from "#test/doubles/tool-context.ts";

const [tool] = intentTools.tools;
const lisbon = {
  action: "create",
  when: "Lisbon comes up",
  do: "mention the tram",
  keywords: ["Lisbon"],
};

describe("the intent tool", () => {
  test("arms, lists and closes an intent", async () => {
    const rig = new ToolRig();
    const made = await rig.call(tool, lisbon);
    const id = /Armed as (\w+)/.exec(made.text)?.[1] ?? "";
    expect((await rig.call(tool, { action: "list" })).text).toContain("mention the tram");
    expect((await rig.call(tool, { action: "done", id })).isError).toBeUndefined();
    expect((await rig.call(tool, { action: "list" })).text).toContain(`${id} (done`);
    expect((await rig.call(tool, { action: "cancel", id })).isError).toBe(true);
  });

  test("a call that is repeated after a crash arms one intent", async () => {
    const rig = new ToolRig();
    const first = await rig.call(tool, lisbon, "turn:1.1");
    expect(await rig.call(tool, lisbon, "turn:1.1")).toEqual(first);
    expect(rig.intents.armed()).toHaveLength(1);
  });

  test.each([{ tainted: true }, { interactiveOwner: false }])(
    "with %j in the turn nothing is armed and nothing closed",
    async (facts) => {
      const rig = new ToolRig();
      const made = await rig.call(tool, lisbon);
      const id = /Armed as (\w+)/.exec(made.text)?.[1] ?? "";
      rig.facts = facts;
      expect((await rig.call(tool, { ...lisbon, when: "x" })).isError).toBe(true);
      expect((await rig.call(tool, { action: "cancel", id })).isError).toBe(true);
      expect(rig.intents.armed().map((each) => each.id)).toEqual([id]);
    },
  );

  test("says what is missing in a call", async () => {
    const rig = new ToolRig();
    expect((await rig.call(tool, { action: "create", when: "x" })).text).toContain("`do`");
    expect((await rig.call(tool, { action: "done" })).text).toContain("`id`");
    expect((await rig.call(tool, { action: "cancel", id: "nope" })).isError).toBe(true);
  });
});
