import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { commandText } from "#core/session/command-run.ts";
import { putAwayPart } from "#core/session/put-away.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import { newWord } from "#test/harness/words.ts";
import { append, change } from "#test/workers/agent/agent-stub.ts";
import { Conversation } from "#test/workers/session/conversation.ts";
import { HeldModel } from "#test/workers/session/held-model.ts";

const agent = env.AGENT.getByName("main");
const asker = { sessionKey: "agent:main:main", identity: "owner", counts: true };

/** What a person is told who gives this command in a conversation of their own. */
async function tell(talk: Conversation, text: string): Promise<string> {
  const { seq } = await talk.stub.accept(talk.envelope(text));
  return vi.waitFor(async () => {
    await runDurableObjectAlarm(agent);
    const status = await talk.inside(({ inbox }) => inbox.get(seq)?.status);
    if (status !== "done") throw new Error("not answered");
    return talk.inside((store) => commandText({ store } as Parameters<typeof commandText>[0], seq));
  }, 20_000);
}

/** All texts in the tables of an object. */
function dump(stub: DurableObjectStub): Promise<string> {
  return runInDurableObject(stub, (_instance, { storage }) => {
    const tables = [
      ...storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'"),
    ]
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("_cf_") && !name.startsWith("sqlite_"));
    return tables
      .map((name) => JSON.stringify([...storage.sql.exec(`SELECT * FROM "${name}"`)]))
      .join("\n");
  });
}

async function bucket(): Promise<string> {
  const { objects } = await env.FILES.list({ limit: 1_000 });
  const texts = objects.map(async ({ key }) => (await env.FILES.get(key))?.text());
  return (await Promise.all(texts)).join("\n");
}

async function database(): Promise<string> {
  const tables = [
    "memory_passage",
    "memory_recall",
    "memory_source",
    "memory_clean",
    "memory_outside",
  ];
  const rows = tables.map((name) => env.DB.prepare(`SELECT * FROM ${name}`).all());
  return JSON.stringify(await Promise.all(rows));
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("a model that wants something forgotten asks the person, whose word alone does it", async () => {
  const dog = newWord();
  const note = `memory/${dog}.md`;
  await agent.applyOperation(append(note, `- The dog is called ${dog}\n- It barks\n`));
  const model = new HeldModel(({ index }) =>
    index === 1
      ? { toolCalls: [{ name: "memory_forget", arguments: { text: `the dog ${dog}` } }] }
      : { text: "Done." },
  );
  const talk = new Conversation();
  const extra = { model: "anthropic/claude-haiku-4-5" };
  const asked = await talk.stub.accept(talk.envelope("forget the dog", { extra }));
  const question = await vi.waitFor(async () => {
    const [turn] = await talk.inside(({ turns }) => turns.parked());
    if (!turn) throw new Error("not asked yet");
    return turn.detail.parked?.question ?? "";
  }, 10_000);
  expect(question).toContain(`1. The dog is called ${dog} (${note}:1)`);
  expect((await agent.readFile(note))?.text).toContain(dog);
  await talk.stub.accept(talk.envelope("Forget it", { extra }));
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(agent);
    const turn = await talk.inside(({ turns }) => turns.latest());
    expect(turn?.status).toBe("done");
  }, 20_000);
  expect(asked.seq).toBeGreaterThan(0);
  expect(model.calls).toHaveLength(2);
  const entries = await talk.inside(({ transcript }) => transcript.page(0, 20));
  const results = entries.flatMap((entry) => (entry.role === "tool" ? entry.results : []));
  expect(results.map(({ text }) => text).join()).toMatch(/^Forg(?:otten|etting)/);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(agent);
    expect((await agent.readFile(note))?.text).toBe("- It barks\n");
  }, 20_000);
}, 60_000);

test("a fact is shown, confirmed, and then stands nowhere any more", async () => {
  const talk = new Conversation();
  const [dog, cat] = [newWord(), newWord()];
  const fact = `Ada's dog is called ${dog}`;
  for (const text of [`My cat is called ${cat}.`, `Hello there. ${fact}. How are you?`]) {
    const { seq } = await talk.stub.accept(talk.envelope(text));
    await talk.turnOf(seq);
  }
  await talk.stub.handOver();
  const note = "memory/2031-05-06.md";
  const line = `- 14:03 ${fact}`;
  await agent.applyOperation(append(note, `${line}\n- 14:04 The cat is called ${cat}\n`));
  const entry = `- The dog of Ada has the name ${dog} <!-- from: ${note}#${lineHash(line)} -->`;
  await agent.applyOperation(append("MEMORY.md", `${entry}\n- Ada likes tea\n`));
  await agent.applyOperation(append("projects/pets.md", `Pets: ${fact}.\n`));
  await agent.createIntent(
    { when: "the dog comes up", action: `say that ${fact}`, keywords: ["dog"] },
    `intent-${dog}`,
  );
  await agent.searchMemory({ text: `how is the dog called, ${dog}?`, asker });
  // Archived with the reset.
  await tell(talk, "/new");
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(talk.stub);
    expect(
      (await env.FILES.list({ prefix: "agents/main/sessions/" })).objects.length,
    ).toBeGreaterThan(0);
  }, 10_000);

  // And as a part that has left the conversation's own storage.
  await talk.withParts(
    () => ({}),
    (ports) => putAwayPart(ports, true),
  );
  const parts = `agents/main/sessions/${encodeURIComponent(talk.key)}/parts/`;
  const [part] = (await env.FILES.list({ prefix: parts })).objects;
  expect(await (await env.FILES.get(part?.key ?? ""))?.text()).toContain(fact);

  const offer = await tell(talk, `/memory forget Ada's dog ${dog}`);
  expect(offer).toContain(fact);
  expect(offer).toContain(`The dog of Ada has the name ${dog}`);
  expect(offer).not.toContain(cat);
  const id = /confirm ([0-9a-f]{6})/.exec(offer)?.[1] ?? "";

  // Nothing happens before the word is given.
  expect((await agent.readFile("MEMORY.md"))?.text).toContain(dog);
  expect(await tell(talk, `/memory forget confirm ${id} 99`)).toMatch(
    /^The numbers go from 1 to \d+; nothing was forgotten\./,
  );
  expect((await agent.readFile("MEMORY.md"))?.text).toContain(dog);
  await tell(talk, `/memory forget confirm ${id}`);
  const report = await vi.waitFor(async () => {
    await runDurableObjectAlarm(agent);
    const text = await tell(talk, `/memory forget confirm ${id}`);
    expect(text).toContain("Forgotten");
    return text;
  }, 30_000);
  expect(report).toContain("1 line in MEMORY.md");
  expect(report).toContain("1 line in memory/2031-05-06.md");
  expect(report).toMatch(/sessions\/.*\.md/);
  expect(report).toContain("standing intent");
  expect(report).toContain("archived transcript");
  expect(report).toContain("projects/pets.md:1");

  await vi.waitFor(async () => expect(await database()).not.toContain(dog), 10_000);
  await agent.applyOperation(change("projects/pets.md", { type: "write", text: "none\n" }));
  await evictDurableObject(agent);
  expect(await dump(talk.stub)).not.toContain(fact);
  expect(await dump(agent)).not.toContain(dog);
  const left = (await bucket()).split("\n").filter((each) => each.includes(dog));
  // The overwritten version of a file that is no memory is its owner's to remove.
  expect(left.filter((each) => each !== `Pets: ${fact}.`)).toEqual([]);
  const { rows } = await agent.searchMemory({ text: `Ada's dog ${dog}`, asker });
  expect(rows.map(({ text }) => text).join()).not.toContain(dog);
  // What else was said is there.
  expect((await agent.searchMemory({ text: `the cat ${cat}`, asker })).rows.length).toBeGreaterThan(
    0,
  );
  expect(await dump(talk.stub)).toContain(cat);
}, 90_000);
