import { expect, test } from "vitest";
import type { OutboundButton } from "#contract/message.ts";
import type { ForgetOffer, ForgetProgress, ForgetRequest, MemoryUpkeep } from "#contract/upkeep.ts";
import { sessionTools } from "#ext/session-tools/index.ts";
import { MemoryDouble } from "#test/doubles/memory.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";

const id = "1a2b3c";

function talk(
  facts = ["my bike is red"],
  key = "agent:main:web:direct:ada",
  progress: ForgetProgress = { status: "unknown" },
) {
  const asked: ForgetRequest[] = [];
  const upkeep: Partial<MemoryUpkeep> = {
    offer: async (): Promise<ForgetOffer> => ({
      id,
      facts: facts.map((text) => ({ text, where: ["MEMORY.md:1"] })),
      more: false,
    }),
    forget: async (request) => {
      asked.push(request);
      return progress;
    },
  };
  const world = new SessionWorld({
    key,
    now: () => Date.UTC(2031, 4, 6),
    agent: {
      upkeep: upkeep as MemoryUpkeep,
      memory: new MemoryDouble(),
      beginStep: async () => ({ granted: true, bootstrap: null }),
    },
    tools: sessionTools.tools,
  });
  const last = () => world.store.outbox.withPrefix("").at(-1)?.part;
  const buttons = () =>
    (last()?.payload as { buttons: OutboundButton[] } | undefined)?.buttons ?? [];
  const press = ({ label, data }: OutboundButton) => world.receive(label, { action: data });
  return { world, asked, last, buttons, press };
}

test("a forgetting is confirmed by the button below what it offers, without a turn", async () => {
  const { world, asked, buttons, press } = talk();
  await world.receive("/memory forget bike");
  const [forget, keep] = buttons();
  expect([forget?.label, keep?.label]).toEqual(["Forget it", "Keep it"]);
  for (const button of buttons()) expect(Buffer.byteLength(button.data)).toBeLessThanOrEqual(64);
  expect(await press(forget!)).toBeNull();
  expect(asked).toEqual([{ id, sessionKey: world.ports.key }]);
  expect(world.requests).toEqual([]);
});

test("the other button withdraws the offer and says so", async () => {
  const { world, asked, last, buttons, press } = talk(["a", "b"]);
  await world.receive("/memory forget bike");
  expect(buttons().map(({ label }) => label)).toEqual(["Forget all of it", "Keep it all"]);
  await press(buttons()[1]!);
  expect(last()?.text).toBe("Kept: nothing was forgotten.");
  expect(asked).toEqual([{ id, sessionKey: world.ports.key, numbers: [] }]);
});

const report = {
  facts: 1,
  files: [{ path: "MEMORY.md", lines: 1 }],
  versions: 0,
  intents: 0,
  dreams: 0,
  conversations: 0,
  entries: 0,
  archives: 0,
  unreached: [],
  stillIn: [],
};

test.each([
  ["running", { failures: 0 }, "is being forgotten already"],
  ["done", {}, "Forgotten (1 fact): 1 line in MEMORY.md"],
] as const)("the other button after the first, when it is %s, tells that", async (...row) => {
  const [status, more, told] = row;
  const progress = { status, id, report, ...more } as ForgetProgress;
  const { world, last, buttons, press } = talk(["a"], undefined, progress);
  await world.receive("/memory forget bike");
  await press(buttons()[1]!);
  expect(last()?.text).toContain(told);
  expect(last()?.text).not.toContain("nothing was forgotten");
});

test("nothing found has no buttons", async () => {
  const { world, buttons } = talk([]);
  await world.receive("/memory forget bike");
  expect(buttons()).toEqual([]);
});

test("a press without the conversation's own proof is no command, whatever it names", async () => {
  const { world, asked, buttons, press } = talk();
  const other = talk(["my bike is red"], "agent:main:web:direct:bea");
  await other.world.receive("/memory forget bike");
  const [foreign] = other.buttons();
  await press(foreign!);
  await world.receive("/memory forget bike");
  const command = `/memory forget confirm ${id}`;
  const [own] = buttons();
  const changed = own!.data.replace(id, "ffffff");
  for (const data of [command, `cmd:${"0".repeat(16)}:${command}`, foreign!.data, changed]) {
    expect(await press({ label: "ok", data })).not.toBeNull();
  }
  expect(asked).toEqual([]);
});

test("what a model writes on a button never comes back as a command", async () => {
  const { world, asked, buttons, press } = talk();
  await world.receive("/memory forget bike");
  const stolen = buttons()[0]!.data;
  await world.receive("hello", {}, [
    { calls: [{ tool: "ask_user", input: { question: "Well?", options: [stolen] } }] },
  ]);
  expect(buttons()).toMatchObject([{ label: stolen }]);
  await press(buttons()[0]!);
  expect(asked).toEqual([]);
});
