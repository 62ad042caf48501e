import { expect, test } from "vitest";
import type { JsonValue } from "#contract/json.ts";
import { noticingProjects } from "#core/turn/projects.ts";
import { ToolRig } from "#test/doubles/tool-context.ts";

function world() {
  const values = new Map<string, JsonValue>();
  const settings = {
    get: (name: string) => values.get(name),
    set: (name: string, value: JsonValue) => void values.set(name, value),
    delete: (name: string) => void values.delete(name),
  };
  const workspace = noticingProjects(new ToolRig().context().workspace, settings);
  return { workspace, active: () => values.get("projects") };
}

test("a project is active once a file of it is used", async () => {
  const { workspace, active } = world();
  await workspace.read("memory/2026-05-03.md");
  expect(active()).toBeUndefined();
  await workspace.read("projects/Shop/plan.md");
  await workspace.list("projects/api");
  await workspace.grep({ pattern: "x", folder: "projects/web", ignoreCase: false, maxMatches: 1 });
  expect(active()).toEqual(["web", "api", "shop"]);
  await workspace.apply({
    operationId: "o1",
    path: "projects/shop/plan.md",
    change: { type: "append", text: "x" },
  });
  expect(active()).toEqual(["shop", "web", "api"]);
});

test("the folder of all projects is none", async () => {
  const { workspace, active } = world();
  await workspace.list("projects");
  expect(active()).toBeUndefined();
});
