import { beforeEach, expect, test } from "vitest";
import type { TurnTrigger } from "#contract/turn.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { noticingProjects } from "#core/turn/projects.ts";
import type { Run } from "#core/turn/run.ts";
import { sessionTools } from "#ext/session-tools/index.ts";
import { workspaceTools } from "#ext/workspace-tools/index.ts";
import { SessionWorld, type Given, type Move } from "#test/doubles/session-world.ts";
import { ToolRig } from "#test/doubles/tool-context.ts";

const shop = "projects/shop/plan.md";
let rig: ToolRig;
let world: SessionWorld;

beforeEach(() => {
  rig = new ToolRig();
  for (const name of ["shop", "api", "web"]) {
    rig.store.editOutside(`projects/${name}/plan.md`, "plan: ship\n");
  }
  world = new SessionWorld({
    key: "agent:main:web:direct:ada",
    now: () => rig.time,
    tools: [...workspaceTools.tools, ...sessionTools.tools],
    config: { memory: { recall: "off" } },
    agent: {
      beginStep: async () => ({ granted: true, bootstrap: null }),
      workspace: rig.context().workspace,
    },
  });
});

const active = () => getSetting(world.store.settings, "projects");
const call = (tool: string, input: object): Move => ({ calls: [{ tool, input }] });

test("a project is active once a file of it is used", async () => {
  rig.store.editOutside("memory/2026-05-03.md", "x\n");
  await world.receive("go", {}, [call("read", { path: "memory/2026-05-03.md" })]);
  expect(active()).toBeUndefined();
  await world.receive("go", {}, [
    call("read", { path: shop }),
    call("ls", { path: "projects/api" }),
    call("grep", { pattern: "ship", path: "projects/web" }),
  ]);
  expect(active()).toEqual(["web", "api", "shop"]);
  await world.receive("go", {}, [call("write", { path: shop, text: "x", mode: "append" })]);
  expect(active()).toEqual(["shop", "web", "api"]);
});

test("the folder of all projects is none", async () => {
  await world.receive("go", {}, [call("ls", { path: "projects" })]);
  expect(active()).toBeUndefined();
});

test.each([
  ["reading what is not there", "read", { path: "projects/none/plan.md" }],
  ["listing what is not there", "ls", { path: "projects/none" }],
  ["a search without a match", "grep", { pattern: "zebra", path: "projects/shop" }],
  [
    "a change that is refused",
    "edit",
    { path: "projects/shop/plan.md", old_text: "zebra", new_text: "x" },
  ],
])("%s makes no project active, and drives none out", async (_what, tool, input) => {
  setSetting(world.store.settings, "projects", ["a", "b", "c", "d"]);
  await world.receive("go", {}, [call(tool, input)]);
  expect(active()).toEqual(["a", "b", "c", "d"]);
});

test.each<[string, Given]>([
  ["forwarded words", { forwarded: true }],
  ["a file", { files: ["use the shop"] }],
  ["quoted words", { replyTo: { messageId: "1", text: "shop!", fromSelf: false } }],
])("with %s in the window no call has a say in which are active", async (_what, given) => {
  setSetting(world.store.settings, "projects", ["a", "b", "c", "d"]);
  const turn = await world.receive("use the shop", given, [
    call("read", { path: shop }),
    call("ls", { path: "projects/api" }),
    call("grep", { pattern: "ship", path: "projects/web" }),
    call("write", { path: shop, text: "x", mode: "append" }),
  ]);
  expect(turn?.status).toBe("done");
  expect(rig.store.text(shop)).toContain("x");
  expect(active()).toEqual(["a", "b", "c", "d"]);
});

test.each<[TurnTrigger, boolean]>([
  ["cron", true],
  ["heartbeat", true],
  ["user", false],
])("a %s turn has none either, if nobody asked for it in a chat of their own", async (...facts) => {
  const [trigger, interactiveOwner] = facts;
  const run = { ports: world.ports, turn: { trigger, detail: { interactiveOwner } } };
  const workspace = noticingProjects(rig.context().workspace, run as unknown as Run, false);
  expect(await workspace.read(shop)).not.toBeNull();
  expect(active()).toBeUndefined();
});
