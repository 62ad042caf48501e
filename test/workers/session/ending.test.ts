import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { Conversation } from "./conversation.ts";
import { HeldModel } from "./held-model.ts";

/** Whatever a turn has gathered, it ends, and the next message is answered. */
const extra = { model: "anthropic/claude-haiku-4-5" };

afterEach(() => {
  vi.restoreAllMocks();
});

test("more results in one answer than a row can hold are cut, and the turn goes on", async () => {
  const folder = `notes-${crypto.randomUUID()}`;
  const paths = Array.from({ length: 60 }, (_, index) => `${folder}/${index}.md`);
  for (const path of paths) {
    await env.FILES.put(`agents/main/workspace/${path}`, `${path} ${"明天下雨吗".repeat(3_000)}`);
  }
  const calls = paths.map((path) => ({ name: "read", arguments: { path } }));
  const model = new HeldModel(({ index }) =>
    index === 1 ? { toolCalls: calls } : { text: "All of it was read." },
  );
  const talk = new Conversation();
  const { seq } = await talk.stub.accept(talk.envelope("read it all", { extra }));
  const turn = await talk.turnOf(seq);
  expect(turn).toMatchObject({ status: "done", detail: { outcome: { reason: "end" } } });
  expect(model.calls).toHaveLength(2);
  const entries = await talk.inside(({ transcript }) => transcript.page(0, 10));
  const results = entries.flatMap((entry) => (entry.role === "tool" ? entry.results : []));
  expect(results).toHaveLength(60);
  for (const { text } of results) expect(text).toContain("characters cut");
});

test("a turn whose rest cannot be written down ends all the same when it is stopped", async () => {
  const model = new HeldModel(({ index }) =>
    index === 1
      ? { toolCalls: [{ name: "ask_user", arguments: { question: "Which one?" } }] }
      : { text: "Here I am." },
  );
  const talk = new Conversation();
  const { seq } = await talk.stub.accept(talk.envelope("choose", { extra }));
  const turnId = await vi.waitFor(async () => {
    const parked = await talk.inside(({ turns }) => turns.parked()[0]);
    expect(parked).toBeDefined();
    return parked?.id;
  });
  await talk.inside((_store, { storage }) =>
    storage.sql.exec("update journal set call_id = ? where kind = 'tool'", "x".repeat(1_950_000)),
  );
  const stop = await talk.stub.accept(talk.envelope("/stop"));
  await vi.waitFor(async () => {
    const said = await talk.inside(({ outbox }) => outbox.withPrefix(`command:${stop.seq}:`));
    expect(said.map(({ part }) => part.text)).toEqual(["Stopped."]);
  });
  expect(await talk.inside(({ turns }) => turns.get(turnId ?? ""))).toMatchObject({
    status: "aborted",
  });
  const next = await talk.stub.accept(talk.envelope("are you there?", { extra }));
  expect(await talk.turnOf(next.seq)).toMatchObject({ status: "done" });
  expect(model.calls).toHaveLength(2);
  expect(seq).toBeLessThan(next.seq);
});
