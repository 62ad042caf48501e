import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { memoryRoutes } from "#app/memory-routes.ts";
import { indexRows, recallRows } from "#test/harness/index-rows.ts";
import { change, editOutside, freshAgent } from "#test/workers/agent/agent-stub.ts";

const asker = { sessionKey: "agent:main:main", identity: "owner", counts: true };
type Agent = ReturnType<typeof freshAgent>;

/** All that is derived of an agent, but for numbers that name rows. */
async function rowsOf({ id }: Agent) {
  const queries = [...indexRows, recallRows];
  const results = queries.map((query) => env.DB.prepare(query).bind(id).all());
  return (await Promise.all(results)).map(({ results: rows }) => rows);
}

/** Every class, curated files, notes, transcripts of two people, and an edit from outside. */
async function filled(): Promise<Agent> {
  const agent = freshAgent();
  const { stub, id } = agent;
  const write = (path: string, text: string) =>
    stub.applyOperation(change(path, { type: "append", text }));
  await write("MEMORY.md", "# About Ada\n- Ada likes green tea <!-- importance: 8 -->\n");
  await write("memory/2026-05-03.md", "- the boiler was serviced\n");
  await stub.applyOperation({
    ...change("memory/2026-05-03.md", { type: "append", text: "- a page says: obey the boiler\n" }),
    authority: { kind: "turn", interactiveOwner: true, tainted: true },
    author: { trust: "untrusted", session: "agent:main:main", at: 1_900_000_000_000 },
  });
  await editOutside(id, "memory/projects/boat.md", "- the motor needs oil\n");
  for (const identity of ["owner", "telegram:2"]) {
    const sessionKey = `agent:${id}:telegram:direct:${identity.slice(-1)}`;
    const origin = { trust: "owner" as const, session: sessionKey, at: Date.UTC(2026, 4, 4, 12) };
    const text = `I am ${identity} and my boat is called Mira`;
    const lines = [{ id: `${identity}:1`, role: "user" as const, text, origin }];
    await stub.ingestTranscript({ sessionKey, identity, lines });
  }
  await stub.rebuildMemory();
  expect((await stub.searchMemory({ text: "who serviced the boiler?", asker })).rows).not.toEqual(
    [],
  );
  await vi.waitFor(async () => {
    expect((await rowsOf(agent)).at(-1)).not.toEqual([]);
  });
  return agent;
}

/** As the alarm does in a while. */
async function saveEvidence({ stub, id }: Agent): Promise<void> {
  await runInDurableObject(stub, (_instance, { storage }) => {
    storage.sql.exec("UPDATE due SET at = 0 WHERE name = 'evidence'");
  });
  await evictDurableObject(stub);
  await vi.waitFor(async () => {
    await runInDurableObject(stub, (_instance, { storage }) => storage.setAlarm(Date.now()));
    await runDurableObjectAlarm(stub);
    const { objects } = await env.FILES.list({ prefix: `agents/${id}/.pagurus/evidence/` });
    expect(objects.map(({ key }) => key.split("/").at(-2))).toEqual(["recalls"]);
  }, 10_000);
}

test("an index that is dropped and built again from the files has the same rows", async () => {
  const agent = await filled();
  const before = await rowsOf(agent);
  const [sources, passages, vectors, , outside] = before;
  expect(sources?.map((row) => row["kind"]).toSorted()).toEqual([
    "curated",
    "note",
    "note",
    "session",
    "session",
  ]);
  expect(new Set(passages?.map((row) => row["trust"]))).toEqual(
    new Set(["owner", "agent", "untrusted"]),
  );
  expect(vectors).not.toEqual([]);
  expect(outside).not.toEqual([]);
  await agent.stub.rebuildMemory();
  expect(await rowsOf(agent)).toEqual(before);
});

test("also on a database that was lost, with the recalls", async () => {
  const agent = await filled();
  const before = await rowsOf(agent);
  await saveEvidence(agent);
  for (const table of ["memory_vector", "memory_passage"]) {
    await env.DB.prepare(
      `DELETE FROM ${table} WHERE source_id IN (SELECT id FROM memory_source WHERE agent_id = ?1)`,
    )
      .bind(agent.id)
      .run();
  }
  for (const table of ["memory_source", "memory_recall"]) {
    await env.DB.prepare(`DELETE FROM ${table} WHERE agent_id = ?1`).bind(agent.id).run();
  }
  await evictDurableObject(agent.stub);
  await agent.stub.rebuildMemory();
  expect(await rowsOf(agent)).toEqual(before);
});

const token = "gate-0123456789abcdef0123456789abcdef";

test("the operator looks into it, builds it anew and takes all of it along, with the token alone", async () => {
  const stub = env.AGENT.getByName("main");
  await stub.applyOperation(
    change("memory/2026-05-03.md", { type: "append", text: "- the boiler was serviced\n" }),
  );
  await stub.applyOperation(change("ideas.md", { type: "append", text: "- a garden\n" }));
  const operator = { ...env, GATEWAY_TOKEN: token };
  const ask = (path: string, init: RequestInit = {}) =>
    memoryRoutes.request(
      path,
      { headers: { authorization: `Bearer ${token}` }, ...init },
      operator,
    );
  expect((await ask("/agents/main/memory/status", { headers: {} })).status).toBe(401);
  expect((await ask("/agents/nobody/memory/status")).status).toBe(404);
  expect((await ask("/agents/main/memory/search?q=")).status).toBe(400);
  const begun = await ask("/agents/main/memory/index?force=true", { method: "POST" });
  expect(begun.status).toBe(202);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(stub);
    const status = await (await ask("/agents/main/memory/status")).json();
    expect(status).toMatchObject({ waiting: 0, problem: null, waitingLines: [] });
  }, 10_000);
  const found = await (await ask("/agents/main/memory/search?q=boiler")).json();
  expect(found).toMatchObject({ rows: [{ path: "memory/2026-05-03.md" }] });
  const lines = (await (await ask("/agents/main/memory/export")).text()).trim().split("\n");
  const files = lines.map((line) => JSON.parse(line) as { path: string; lines: object[] });
  expect(files.map(({ path }) => path)).toContain("ideas.md");
  expect(files.find(({ path }) => path === "memory/2026-05-03.md")?.lines[0]).toMatchObject({
    text: "- the boiler was serviced",
    origin: { trust: "agent" },
  });
});
