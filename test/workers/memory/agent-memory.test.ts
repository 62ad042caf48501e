import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { append, change, editOutside, freshAgent } from "#test/workers/agent/agent-stub.ts";

/** Memory as conversations have it: over RPC, on a real D1, R2 and alarm. */
const asker = { sessionKey: "agent:main:main", identity: null, counts: false };
type Agent = ReturnType<typeof freshAgent>;

const find = async ({ stub }: Agent, text: string) => {
  const { rows } = await stub.searchMemory({ text, asker });
  return rows.map((row) => `${row.path}:${row.from} ${row.text}`);
};
const remove = ({ id }: Agent, path: string) => env.FILES.delete(`agents/${id}/workspace/${path}`);
/** After eviction the next search looks at the bucket again. */
const looksAgain = ({ stub }: Agent) => evictDurableObject(stub);

test("what was just written is found, with no alarm in between", async () => {
  const agent = freshAgent();
  await agent.stub.applyOperation(append("memory/2026-05-03.md", "- Bit is the name of the dog"));
  expect(await find(agent, "what's the dog called?")).toEqual([
    "memory/2026-05-03.md:1 - Bit is the name of the dog",
  ]);
});

test("the alarm indexes what was written, within a second and a half", async () => {
  const agent = freshAgent();
  const before = Date.now();
  await agent.stub.applyOperation(append("memory/2026-05-03.md", "- zebra"));
  const alarm = await runInDurableObject(agent.stub, (_instance, state) =>
    state.storage.getAlarm(),
  );
  expect((alarm ?? Number.POSITIVE_INFINITY) - before).toBeLessThan(2_600);
  await vi.waitFor(
    async () => {
      await runDurableObjectAlarm(agent.stub);
      expect(await agent.stub.memoryStatus()).toMatchObject({ passages: 1, waiting: 0 });
    },
    { timeout: 10_000 },
  );
});

test("edits and deletions by other means are found (B51)", async () => {
  const agent = freshAgent();
  await agent.stub.applyOperation(
    change("memory/a.md", { type: "write", text: "- apples\n- pears\n- zebra7 lives here" }),
  );
  await agent.stub.applyOperation(append("memory/b.md", "- plums"));
  expect(await find(agent, "zebra7")).toHaveLength(1);
  await editOutside(agent.id, "memory/a.md", "- apples\n- pears");
  await looksAgain(agent);
  expect(await find(agent, "zebra7")).toEqual([]);
  await remove(agent, "memory/a.md");
  await looksAgain(agent);
  expect(await find(agent, "apples pears plums")).toEqual(["memory/b.md:1 - plums"]);
});

test("no question breaks the search (B49)", async () => {
  const agent = freshAgent();
  await agent.stub.applyOperation(append("memory/a.md", "- Box nas-07 holds photos"));
  await agent.stub.applyOperation(append("memory/b.md", "- don't unplug it"));
  expect((await find(agent, "nas-07"))[0]).toContain("nas-07");
  expect((await find(agent, "don't unplug"))[0]).toContain("unplug");
  for (const text of [
    '"unclosed',
    "col:val",
    "*",
    "AND",
    "NEAR(",
    "()",
    "-",
    "",
    "a ".repeat(10_000),
  ]) {
    expect(await find(agent, text)).toEqual([]);
  }
});

const kinds: readonly [string, string, string][] = [
  ["Chinese", "- 王小明住在北京，订单A-17已经发货", "北京"],
  ["one Chinese character", "- 他每天下午喝茶", "茶"],
  ["a mixed number", "- 王小明住在北京，订单A-17已经发货", "订单A-17"],
  ["Japanese", "- 猫の名前はタマです", "タマ"],
  ["one Japanese character", "- 猫の名前はタマです", "猫"],
  ["Korean", "- 어머니 생신은 오월이다", "생신"],
  ["one Korean character", "- 차 한 잔", "차"],
  ["Thai", "- ฉันชอบดื่มกาแฟทุกเช้า", "กาแฟ"],
];

test.each(kinds)("%s is found among other lines", async (_name, line, question) => {
  const agent = freshAgent();
  const others = ["- 今日は雨です", "- 明天去上海开会", "- 오늘은 비가 온다", "- nothing of it"];
  const text = [...others, line].join("\n");
  await agent.stub.applyOperation(change("memory/a.md", { type: "write", text }));
  const { rows } = await agent.stub.searchMemory({ text: question, asker });
  expect(rows[0]?.text).toContain(line);
});

test("a binary file is skipped, and said so", async () => {
  const agent = freshAgent();
  await env.FILES.put(`agents/${agent.id}/workspace/memory/x.md`, Uint8Array.of(255, 0, 254, 10));
  await agent.stub.applyOperation(append("memory/b.md", "- plums"));
  expect(await find(agent, "plums")).toHaveLength(1);
  expect((await agent.stub.memoryStatus()).problem).toContain("memory/x.md is not indexed");
});

test("a rebuild makes the same rows from the files alone", async () => {
  const agent = freshAgent();
  const text =
    "# Family\n\n- Bit is the dog. He is old. <!-- importance: 8 -->\n- 王小明住在北京\n";
  await editOutside(agent.id, "MEMORY.md", text);
  await agent.stub.applyOperation(append("memory/2026-05-03.md", "- one\n- two"));
  await agent.stub.applyOperation(append("memory/2026-05-03.md", "- three"));
  await find(agent, "dog");
  const before = await rowsOf(agent.id);
  expect(before.length).toBeGreaterThan(5);
  await agent.stub.rebuildMemory();
  expect(await rowsOf(agent.id)).toEqual(before);
});

async function rowsOf(agentId: string) {
  const { results } = await env.DB.prepare(
    `SELECT s.path, s.kind, s.hash AS sourceHash, s.passages, p.outside, p.position, p.line, p.text,
       p.trust, p.importance, p.hash
     FROM memory_source s JOIN memory_passage p ON p.source_id = s.id
     WHERE s.agent_id = ? ORDER BY s.path, p.outside, p.position`,
  )
    .bind(agentId)
    .all();
  return results;
}

test("a recall is stored once a day for each question", async () => {
  const agent = freshAgent();
  await agent.stub.applyOperation(change("MEMORY.md", { type: "write", text: "- Bit is the dog" }));
  const counting = { ...asker, counts: true };
  await agent.stub.searchMemory({ text: "dog", asker: counting });
  await agent.stub.searchMemory({ text: "the dog?", asker: counting });
  const recalls = async () => {
    const query = env.DB.prepare("SELECT path, rank FROM memory_recall WHERE agent_id = ?");
    return (await query.bind(agent.id).all()).results;
  };
  await vi.waitFor(
    async () => expect(await recalls()).toEqual([{ path: "MEMORY.md", rank: 1 }]),
    10_000,
  );
});
