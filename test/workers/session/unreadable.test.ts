import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Turn } from "#contract/turn.ts";
import { Conversation } from "./conversation.ts";
import { HeldModel } from "./held-model.ts";

/** Rows whose JSON is damaged, or of a version nobody knows: they cost themselves, and nothing else. */
const extra = { model: "anthropic/claude-haiku-4-5" };
const shapes = [
  ["is no JSON", '{"half'],
  ["has another shape", '{"of":"tomorrow"}'],
] as const;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A conversation that has been answered once, so that it has an address. */
async function lively(): Promise<{ talk: Conversation; turn: Turn }> {
  const talk = new Conversation();
  const { seq } = await talk.stub.accept(talk.envelope("hello"));
  return { talk, turn: await talk.turnOf(seq) };
}

/** Overwrites what is stored, and forgets what is in memory. */
async function damage(talk: Conversation, change: string, json: string): Promise<void> {
  await talk.inside((_store, { storage }) => {
    expect(storage.sql.exec(change, json).rowsWritten).toBeGreaterThan(0);
  });
  await evictDurableObject(talk.stub);
}

async function answersStill(talk: Conversation): Promise<Turn> {
  const { seq } = await talk.stub.accept(talk.envelope("hello again"));
  const turn = await talk.turnOf(seq);
  expect(turn.status).toBe("done");
  return turn;
}

function notices(talk: Conversation): Promise<string[]> {
  return talk.inside(({ outbox }) => outbox.withPrefix("unreadable:").map(({ part }) => part.text));
}

describe.each(shapes)("a stored value that %s", (_what, json) => {
  test("in a waiting message or command sets it aside with a word, and the next is answered", async () => {
    const { talk } = await lively();
    await talk.inside(({ inbox }) => {
      for (const kind of ["message", "command"] as const) {
        inbox.insert({
          deliveryKey: kind,
          identityKey: kind,
          kind,
          status: "waiting",
          message: talk.envelope("lost").message,
          extra: {},
          contentHash: null,
          receivedAt: Date.now(),
          notBefore: 0,
        });
      }
    });
    await damage(talk, "update inbox set message = ? where status = 'waiting'", json);
    await answersStill(talk);
    await vi.waitFor(async () => {
      expect(
        await talk.inside(({ inbox }) => [inbox.get(2)?.status, inbox.get(3)?.status]),
      ).toEqual(["done", "done"]);
    });
    expect(await notices(talk)).toContainEqual(expect.stringContaining("cannot be read"));
  });

  test("in a running turn ends it with a word, and the next message is answered", async () => {
    const model = new HeldModel(() => ({ text: "pong" }));
    model.held = true;
    const { talk: before } = await lively();
    const { seq } = await before.stub.accept(before.envelope("hello", { extra }));
    await model.asked(1);
    const id = await before.inside(({ turns }) => turns.running()?.id);
    await before.inside((_store, { storage }) => {
      storage.sql.exec("update turn set detail = ? where id = ?", json, id);
    });
    await abortAllDurableObjects();
    model.held = false;
    const talk = new Conversation(before.key);
    await answersStill(talk);
    const row = await talk.inside((_store, { storage }) =>
      storage.sql.exec("select status from turn where id = ?", id).one(),
    );
    expect(row).toEqual({ status: "failed" });
    expect(await notices(talk)).toEqual([expect.stringContaining("cannot be read")]);
    const reader = (await talk.stub.watch(seq)).getReader();
    const line = new TextDecoder().decode((await reader.read()).value);
    expect(JSON.parse(line)).toMatchObject({ type: "ended", status: "failed", reason: "internal" });
  });

  test("in a message that is about to be sent fails that one, and others are sent", async () => {
    const { talk, turn } = await lively();
    const { route } = turn.detail;
    await talk.inside(({ outbox }) => {
      const part = { payload: { text: "lost" }, text: "lost" };
      outbox.insert({ key: "lost:0", turnId: null, kind: "notice", mode: "send", route, part });
    });
    await damage(talk, "update outbox set part = ? where key = 'lost:0'", json);
    const next = await answersStill(talk);
    await vi.waitFor(async () => {
      const rows = await talk.inside(({ outbox }) => outbox.ofTurn(next.id));
      expect(rows.map(({ status }) => status)).toEqual(["sent"]);
    });
    const row = await talk.inside((_store, { storage }) =>
      storage.sql.exec("select status from outbox where key = 'lost:0'").one(),
    );
    expect(row).toEqual({ status: "failed" });
    expect(await notices(talk)).toHaveLength(1);
  });

  test("in the transcript is left out of requests and of the export", async () => {
    const { talk } = await lively();
    await damage(talk, "update entry set body = ? where seq = 1", json);
    await answersStill(talk);
    const exported = await new Response(await talk.stub.exportTranscript()).text();
    const seqs = exported.trim().split("\n").slice(1);
    expect(seqs.map((line) => JSON.parse(line).seq)).toEqual([2, 3, 4]);
  });

  test("in a setting is as if it were not set", async () => {
    const { talk } = await lively();
    await damage(talk, "update setting set value = ? where name = 'lastUserMessageAt'", json);
    await answersStill(talk);
  });

  test("in the result of a call is told to the model as an error", async () => {
    const { talk, turn } = await lively();
    await talk.inside(({ journal }, { storage }) => {
      const call = { callId: "c", name: "n", input: "{}", version: 1 } as const;
      const place = {
        turnId: turn.id,
        step: 9,
        position: 1,
        kind: "tool",
        status: "done",
      } as const;
      journal.insert({ ...place, ...call, output: { text: "fine", isError: false } });
      storage.sql.exec("update journal set output = ? where step = 9", json);
    });
    const rows = await talk.inside(({ journal }) => journal.ofStep(turn.id, 9));
    expect(rows).toMatchObject([{ output: { isError: true } }]);
  });
});

test("a page of the transcript that cannot be read does not end the export", async () => {
  const talk = new Conversation();
  await talk.inside(({ transcript }, { storage }) => {
    for (let index = 0; index < 6; index += 1) {
      const common = { sessionId: "s", turnId: "t", at: 1, trust: "agent", tokens: 1 } as const;
      transcript.append({ ...common, role: "note", text: "x" });
    }
    storage.sql.exec("update entry set body = '' where seq between 1 and 4");
    expect(transcript.page(0, 2).map(({ seq }) => seq)).toEqual([5, 6]);
    expect(transcript.pageOf("s", 0, 2).map(({ seq }) => seq)).toEqual([5, 6]);
  });
});
