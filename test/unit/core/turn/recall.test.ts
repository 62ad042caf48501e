import { expect, test } from "vitest";
import { sessionTools } from "#ext/session-tools/index.ts";
import { MemoryDouble } from "#test/doubles/memory.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";

async function searchedFor(text: string): Promise<number> {
  const memory = new MemoryDouble();
  const world = new SessionWorld({
    key: "agent:main:web:direct:ada",
    now: () => 1_800_000_000_000,
    tools: sessionTools.tools,
    agent: { beginStep: async () => ({ granted: true, bootstrap: null }), memory },
  });
  await world.receive(text);
  return memory.queries.length;
}

test("a message that asks for something from before is looked up", async () => {
  expect(await searchedFor("do you remember which hotel we took?")).toBe(1);
});

test("a message that asks for something to be kept is not: it tells, and asks nothing", async () => {
  expect(await searchedFor("Please remember that my insurance number is 77-1234")).toBe(0);
});

/** What of a MEMORY.md with one entry the message brings to mind. */
async function recalledBy(text: string): Promise<string> {
  const entry = {
    path: "MEMORY.md",
    text: "Invoices of the harbour are paid by Ida",
    hash: "a1",
    trust: "owner",
    triggers: ["harbour invoice"],
    importance: null,
    projects: [],
    active: true,
  } as const;
  const bootstrap = { version: "1", files: [], curated: [entry] };
  const world = new SessionWorld({
    key: "agent:main:web:direct:ada",
    now: () => 1_800_000_000_000,
    tools: sessionTools.tools,
    agent: { beginStep: async () => ({ granted: true, bootstrap }), memory: new MemoryDouble() },
  });
  return (await world.receive(text))?.detail.recalled ?? "";
}

test("what a message quotes or pastes asks for nothing and brings nothing to mind", async () => {
  const quoted = "> Hi Ada. Do you remember which hotel we took? The harbour invoice is due.";
  expect(await searchedFor(`What does he want?\n${quoted}`)).toBe(0);
  expect(await searchedFor(`Do you remember which hotel we took?\n${quoted}`)).toBe(1);
  expect(await recalledBy(`What does he want?\n${quoted}`)).toBe("");
  expect(await recalledBy("The harbour invoice is due.")).toContain("paid by Ida");
});

test("what was found for one person is not told to another who asks the same in the same conversation", async () => {
  const memory = new MemoryDouble();
  const world = new SessionWorld({
    key: "agent:main:main",
    now: () => 1_800_000_000_000,
    tools: sessionTools.tools,
    agent: { beginStep: async () => ({ granted: true, bootstrap: null }), memory },
    config: { session: { identityLinks: { ada: ["web:ada"], bob: ["web:bob"] } } },
  });
  const ask = async (id: string) => {
    const sender = { id, name: id, isOwner: true };
    await world.receive("do you remember which hotel we took?", { sender });
    return memory.queries.map(({ asker }) => asker.identity);
  };
  expect(await ask("ada")).toEqual(["person:ada"]);
  expect(await ask("ada")).toEqual(["person:ada"]);
  expect(await ask("bob")).toEqual(["person:ada", "person:bob"]);
});
