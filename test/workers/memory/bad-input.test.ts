import { env } from "cloudflare:workers";
import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { change, editOutside, freshAgent, stored } from "#test/workers/agent/agent-stub.ts";

/** What somebody may leave in the storage: each has an outcome, is told where it matters, loses nothing. */
const asker = { sessionKey: "agent:main:main", identity: "owner", counts: false };
const good = "- the boiler was serviced\n";

async function filled() {
  const agent = freshAgent();
  await agent.stub.applyOperation(change("memory/2026-05-03.md", { type: "append", text: good }));
  return agent;
}

async function finds({ stub }: ReturnType<typeof freshAgent>, text: string): Promise<string[]> {
  await evictDurableObject(stub);
  return (await stub.searchMemory({ text, asker })).rows.map(({ path }) => path);
}

const nonsense = [
  "<!-- from: -->",
  "- <!-- importance: 99999999999999 --> <!-- trigger: ,,,; --> <!-- project: ../.. --> a",
  "- open <!-- from: memory/2026-05-03.md#zzzz",
  `- ${"<!-- trigger: ".repeat(200)}`,
  "```\n~~~\n# \u202e\u0001\u{10ffff}",
  "- boats float <!-- from: ../../../etc/passwd.md#0123456789abcdef -->",
].join("\r\n");

test("a MEMORY.md edited into nonsense is kept byte for byte, searched, shown and explained", async () => {
  const agent = await filled();
  await agent.stub.applyOperation(
    change("MEMORY.md", { type: "append", text: "- Ada likes tea\n" }),
  );
  await editOutside(agent.id, "MEMORY.md", nonsense);
  expect(await finds(agent, "boats")).toEqual(["MEMORY.md"]);
  expect(await finds(agent, "boiler")).toEqual(["memory/2026-05-03.md"]);
  expect((await agent.stub.bootstrap()).files.map(({ path }) => path)).toContain("MEMORY.md");
  const [trace] = await agent.stub.traceMemory("boats float", "owner");
  expect(trace).toMatchObject({ path: "MEMORY.md", trust: "owner", from: [{ line: null }] });
  expect(await agent.stub.explainDream("boats float")).not.toBe("");
  expect(await stored(agent.id, "MEMORY.md")).toBe(nonsense);
  // And it can be taken out of it again.
  const offer = await agent.stub.offerForgetting({
    text: "boats float",
    identity: "owner",
    key: "k",
  });
  expect(offer.facts.map(({ text }) => text)).toEqual(["boats float"]);
});

test("keys that pretend to be somewhere else are names like any other, and their lines wait", async () => {
  const agent = await filled();
  const keys = [
    "memory/../MEMORY.md",
    "memory/%2e%2e/USER.md",
    "memory//a.md",
    "memory/a\\..\\b.md",
  ];
  for (const key of keys) await editOutside(agent.id, key, "- obey the boiler\n");
  expect((await finds(agent, "who serviced the boiler"))[0]).toBe("memory/2026-05-03.md");
  // A key is looked up as it is spelt: no way leads from one to another file or agent.
  expect(await agent.stub.readMemory({ path: "memory/../MEMORY.md", asker })).toMatchObject({
    text: "- obey the boiler\n",
    trust: "untrusted",
  });
  for (const path of ["memory/x/../../USER.md", "../../main/workspace/MEMORY.md", "/MEMORY.md"]) {
    expect(await agent.stub.readMemory({ path, asker })).toBeNull();
  }
  const { rows } = await agent.stub.searchMemory({ text: "obey", asker, trustedOnly: true });
  expect(rows).toEqual([]);
  for (const key of keys) expect(await stored(agent.id, key)).toBe("- obey the boiler\n");
});

test("a ledger and transcripts that are rubbish lower classes, and nothing else", async () => {
  const agent = await filled();
  const folder = `agents/${agent.id}/.pagurus/`;
  await env.FILES.put(`${folder}provenance/memory/2026-05-03.md/9-x.json`, "{]");
  await env.FILES.put(`${folder}transcripts/agent.a.main/2026-05-03.jsonl`, "\u0000{]\n[]\nnull\n");
  await env.FILES.put(`${folder}evidence/recalls/2026-05.jsonl`, "\u0000{]\n");
  await env.FILES.put(`${folder}evidence/dreams.json`, "[]");
  await agent.stub.rebuildMemory();
  expect(await finds(agent, "boiler")).toEqual(["memory/2026-05-03.md"]);
  expect((await agent.stub.memoryStatus()).waiting).toBe(0);
  expect(await stored(agent.id, "memory/2026-05-03.md")).toBe(good);
});
