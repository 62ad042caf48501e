import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { Conversation } from "#test/workers/session/conversation.ts";
import { change, freshAgent } from "#test/workers/agent/agent-stub.ts";

/** The embedded demo in a conversation of its owner: what it says of the memory is what is in it. */
const { id, stub: agent } = freshAgent();

async function ask(talk: Conversation, text: string): Promise<string> {
  const { seq } = await talk.stub.accept(talk.envelope(text));
  const turn = await talk.turnOf(seq);
  const entries = await talk.inside(({ transcript }) => transcript.page(0, 100));
  return entries
    .flatMap((each) => (each.turnId === turn.id && each.role === "assistant" ? each.content : []))
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");
}

test("what was merely told is found by another form of its word, and shown before what nights report", async () => {
  const talk = new Conversation(`agent:${id}:api:direct:user-${crypto.randomUUID()}`);
  expect(await ask(talk, "I'm allergic to peanuts.")).toContain("go into your notes all the same");
  const day = await vi.waitFor(async () => {
    await runDurableObjectAlarm(talk.stub);
    await runDurableObjectAlarm(agent);
    const { rows } = await agent.searchMemory({
      text: "allergy",
      kinds: ["note"],
      asker: { sessionKey: talk.key, identity: "owner", counts: false },
    });
    const found = rows.find((row) => row.text.includes("allergic to peanuts"));
    if (!found) throw new Error("not in the notes yet");
    return found.path;
  }, 20_000);
  const report = change("memory/dreaming/light/2031-05-06.md", {
    type: "write",
    text: "- a report\n",
  });
  await agent.applyOperation({ ...report, authority: { kind: "owner" } });

  const line = `- I'm allergic to peanuts. — \`${day}\``;
  expect(await ask(talk, "what do you know about my allergy")).toContain(line);
  const notes = await ask(talk, "show my notes");
  expect(notes).toContain(line);
  expect(notes).not.toContain("report");
}, 60_000);

test("what was told in another conversation, and is in no note, is found there", async () => {
  const [told, asking] = ["told", "asking"].map(
    (name) => new Conversation(`agent:${id}:api:direct:user-${name}-${crypto.randomUUID()}`),
  );
  await ask(told!, "The spare keys are with Anna next door.");
  await told!.stub.handOver();
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(agent);
    expect(await ask(asking!, "where are the spare keys?")).toMatch(
      /you told me in a conversation:\n- The spare keys are with Anna next door\. — `sessions\//,
    );
  }, 20_000);
}, 60_000);
