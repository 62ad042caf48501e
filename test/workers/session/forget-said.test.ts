import { runInDurableObject } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { archiveDue } from "#core/session/archive.ts";
import { forgetSaid } from "#core/session/forget-said.ts";
import { setSetting } from "#core/state/settings.ts";
import { Conversation } from "#test/workers/session/conversation.ts";

const fact = "my cousin lives in Trondheim";

/** All that the conversation's own storage says. */
function dump(talk: Conversation): Promise<string> {
  return runInDurableObject(talk.stub, (_instance, { storage }) =>
    ["inbox", "entry", "turn", "journal", "outbox", "setting"]
      .map((name) => JSON.stringify([...storage.sql.exec(`SELECT * FROM "${name}"`)]))
      .join("\n"),
  );
}

async function forgetAll(talk: Conversation): Promise<void> {
  let after: string | null = null;
  do {
    after = await vi.waitFor(async () => {
      const said = await talk.stub.forgetSaid({ id: "f", facts: [fact], after });
      if (said.busy) throw new Error("busy");
      return said.next;
    }, 10_000);
  } while (after !== null);
}

test("what was overheard in a group and waits for a turn is forgotten, too", async () => {
  const talk = new Conversation();
  await talk.turnOf((await talk.stub.accept(talk.envelope("hello"))).seq);
  await talk.stub.accept({ ...talk.envelope(`Well, ${fact}. The bus is late.`), buffer: true });
  await forgetAll(talk);
  expect(await dump(talk)).not.toContain("Trondheim");
  const [row] = await talk.inside(({ inbox }) => inbox.list("buffered", "message", 5));
  expect(row?.message.text).toBe("[forgotten] The bus is late.");
}, 30_000);

test("a part that is asked for again after a crash says what it changed the first time", async () => {
  const talk = new Conversation();
  await talk.turnOf((await talk.stub.accept(talk.envelope(`well, ${fact}.`))).seq);
  const request = { id: "first", facts: [fact], after: null };
  const said = await vi.waitFor(async () => {
    const done = await talk.stub.forgetSaid(request);
    expect(done.busy).toBeUndefined();
    return done;
  }, 10_000);
  expect(said.changed).toBeGreaterThan(0);
  expect(await talk.stub.forgetSaid(request)).toEqual(said);
  expect((await talk.stub.forgetSaid({ ...request, id: "second" })).changed).toBe(0);
}, 30_000);

test("forgetting waits for an ended context that is on its way to the archive", async () => {
  const talk = new Conversation();
  await talk.turnOf((await talk.stub.accept(talk.envelope(`well, ${fact}.`))).seq);
  const arrival = Promise.withResolvers<void>();
  await talk.withParts(
    (real) => ({
      now: () => Date.now() + 3_600_000,
      background: () => {},
      media: { ...real.media, put: () => arrival.promise },
    }),
    async (ports) => {
      const sessionId = ports.store.transcript.page(0, 1)[0]?.sessionId ?? "";
      setSetting(ports.store.settings, "toArchive", [sessionId]);
      ports.live.keepingMemory = false;
      const archiving = archiveDue(ports);
      expect(forgetSaid(ports, { id: "f", facts: [fact], after: null }).busy).toBe(true);
      arrival.resolve();
      await archiving;
      expect(forgetSaid(ports, { id: "f", facts: [fact], after: null }).busy).toBeUndefined();
    },
  );
}, 30_000);
