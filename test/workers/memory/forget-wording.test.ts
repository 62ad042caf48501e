import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { newWord } from "#test/harness/words.ts";
import { append, change, editOutside, freshAgent, stored } from "#test/workers/agent/agent-stub.ts";
import { Conversation } from "#test/workers/session/conversation.ts";

type Stub = ReturnType<typeof freshAgent>["stub"];

/** What is found near the text is confirmed, and forgotten to the end. */
async function forgetAll(stub: Stub, text: string) {
  const offer = await stub.offerForgetting({ text, identity: "owner", key: text });
  const given = { id: offer.id, sessionKey: "agent:x:main" };
  return vi.waitFor(async () => {
    const done = await stub.forgetOffered(given);
    await runDurableObjectAlarm(stub);
    if (done.status !== "done") throw new Error(JSON.stringify(done));
    return { offer, report: done.report };
  }, 30_000);
}

const fact = "Ada has a cousin in Trondheim";
const [note, day] = ["memory/2031-05-06.md", "memory/2031-05-07.md"];
const closing = (words: string) => `- 14:00 closing:\n  > "Hi. ${words}. Bye."\n`;

async function everything(id: string): Promise<string> {
  const { objects } = await env.FILES.list({ prefix: `agents/${id}/` });
  const texts = objects.map(async ({ key }) => (await env.FILES.get(key))?.text());
  return (await Promise.all(texts)).join("\n");
}

test("a line goes that says the fact among other things, and versions that said it so", async () => {
  const { stub, id } = freshAgent();
  const garden = "So we went on with the plans for the garden. ".repeat(10);
  await stub.applyOperation(append(note, `- ${fact}\n`));
  await stub.applyOperation(append(day, closing(`${garden}${fact}`)));
  await stub.applyOperation(append("MEMORY.md", `- ${fact}. She is a nurse.\n`));
  await stub.applyOperation(change("MEMORY.md", { type: "write", text: "- She is a nurse.\n" }));
  const { report } = await forgetAll(stub, fact);
  expect(report.stillIn).toEqual([]);
  expect(await everything(id)).not.toContain("Trondheim");
}, 60_000);

test("several long facts hide nothing, and neither do many files that say one of them", async () => {
  const { stub, id } = freshAgent();
  const tail =
    "and every second summer the whole family goes there by night train to mend the boat house";
  const facts = ["cloudberries", "winter stories", "wooden church", "long pier"].map(
    (what) => `Ada's cousin in Trondheim talks about the ${what} each time, ${tail}`,
  );
  await stub.applyOperation(append(note, facts.map((each) => `- ${each}\n`).join("")));
  await stub.applyOperation(append(day, closing(facts[0] ?? "")));
  await stub.applyOperation(append("a-family.md", `Notes: ${facts[1]}.\n`.repeat(25)));
  for (let n = 0; n < 305; n += 1) await editOutside(id, `attic/${n}.md`, "old\n");
  const { report } = await forgetAll(stub, "Ada's cousin in Trondheim talks about");
  expect(report.facts).toBeGreaterThanOrEqual(4);
  expect(report.stillIn).toHaveLength(21);
  expect(report.stillIn[0]).toBe("a-family.md:1");
  expect(await stored(id, day)).not.toContain("Trondheim");
  expect(await stored(id, note)).not.toContain("Trondheim");
}, 90_000);

test("a line of thirty thousand characters does not keep anything from being forgotten", async () => {
  const { stub, id } = freshAgent();
  const trip = "then they went on to the next village by boat, ".repeat(650);
  await stub.applyOperation(append("memory/long.md", `- ${fact} and ${trip}\n`));
  await stub.applyOperation(append(note, `- ${fact}\n`));
  await forgetAll(stub, fact);
  expect(await everything(id)).not.toContain("Trondheim");
}, 60_000);

/** A conversation with that agent alone: forgetting asks all that an agent has. */
const talkWith = (id: string) => new Conversation(`agent:${id}:api:direct:user-${newWord()}`);

test.each([
  ["a short sentence", "I am gay", "Hello there. I am gay. How is the weather?", "gay"],
  [
    "a number that the memory masks",
    "IBAN at the Blue Whale bank",
    "Hello there. My IBAN is DE89370400440532013000 at the Blue Whale bank. Bye.",
    "DE89370400440532013000",
  ],
  [
    "what is spelt in decomposed Unicode",
    "sister Zoë lives in Zürich",
    "Hello. My sister Zoë lives in Zürich by the lake. Bye.".normalize("NFD"),
    "by the lake",
  ],
])(
  "%s is forgotten where it was said",
  async (_what, asked, said, gone) => {
    const { stub, id } = freshAgent();
    const talk = talkWith(id);
    const { seq } = await talk.stub.accept(talk.envelope(said));
    await talk.turnOf(seq);
    await talk.stub.handOver();
    const { offer, report } = await forgetAll(stub, asked);
    expect(offer.facts).toHaveLength(1);
    expect(report.unreached).toEqual([]);
    const entries = await talk.inside(({ transcript }) => JSON.stringify(transcript.page(0, 20)));
    expect(entries).toContain("Hello");
    expect(entries).not.toContain(gone);
    expect(await everything(id)).not.toContain(gone);
  },
  60_000,
);

test("what another conversation has said just now is offered, too", async () => {
  const boat = newWord();
  const { stub, id } = freshAgent();
  const talk = talkWith(id);
  const { seq } = await talk.stub.accept(
    talk.envelope(`Hello. Ada's boat is called ${boat}. Bye.`),
  );
  await talk.turnOf(seq);
  const { offer } = await forgetAll(stub, `Ada's boat ${boat}`);
  expect(offer.facts.map(({ text }) => text)).toContain(`Ada's boat is called ${boat}.`);
  const entries = await talk.inside(({ transcript }) => JSON.stringify(transcript.page(0, 20)));
  expect(entries).not.toContain(boat);
}, 60_000);

test("words of what was forgotten are in no file of the full-text tables any more", async () => {
  const boat = newWord() + newWord();
  // Of a word these tables may leave out how it begins (like its neighbour) and how it ends (its stem).
  const core = boat.slice(8, -4);
  const inTables = async () => {
    const counts = ["memory_clean", "memory_outside"].map(async (name) => {
      const query = `SELECT COUNT(*) AS count FROM ${name}_data WHERE instr(block, CAST(?1 AS BLOB)) > 0`;
      return (await env.DB.prepare(query).bind(core).first<{ count: number }>())?.count ?? 0;
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };
  const { stub } = freshAgent();
  await stub.applyOperation(append(note, `- Ada's boat is called ${boat}\n- It is red\n`));
  const asker = { sessionKey: "agent:x:main", identity: "owner", counts: false };
  await stub.searchMemory({ text: `Ada's boat ${boat}`, asker });
  expect(await inTables()).toBeGreaterThan(0);
  await forgetAll(stub, `Ada's boat ${boat}`);
  expect(await inTables()).toBe(0);
}, 60_000);
