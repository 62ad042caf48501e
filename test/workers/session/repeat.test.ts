import { afterEach, describe, expect, test, vi } from "vitest";
import { Conversation } from "./conversation.ts";

/** Which earlier message a caller's retry belongs to, as time goes by. */
const minute = 60_000;

afterEach(() => {
  vi.restoreAllMocks();
});

function later(ms: number): void {
  const at = Date.now() + ms;
  vi.spyOn(Date, "now").mockReturnValue(at);
}

describe("a retry without a key", () => {
  test("belongs to what has just been answered, not to what was answered long ago", async () => {
    const talk = new Conversation();
    const contentHash = crypto.randomUUID();
    const first = await talk.stub.accept(talk.envelope("hello", { contentHash }));
    await talk.turnOf(first.seq);
    const retry = () => talk.envelope("hello", { contentHash, isRetry: true });
    expect(await talk.stub.accept(retry())).toEqual({ status: "duplicate", seq: first.seq });

    later(3 * minute);
    const fresh = await talk.stub.accept(retry());
    expect(fresh).toEqual({ status: "accepted", seq: expect.any(Number) });
    expect(fresh.seq).toBeGreaterThan(first.seq);
    expect(await talk.turnOf(fresh.seq)).toMatchObject({ status: "done" });
  });

  test("belongs to what is still waiting, however long", async () => {
    const talk = new Conversation();
    const contentHash = crypto.randomUUID();
    const seq = await talk.inside(({ inbox }) => {
      const { message } = talk.envelope("hello");
      return inbox.insert({
        deliveryKey: "d",
        identityKey: "i",
        kind: "message",
        status: "waiting",
        message,
        extra: {},
        contentHash,
        receivedAt: Date.now(),
        notBefore: Date.now() + 60 * minute,
      });
    });
    later(30 * minute);
    const retry = talk.envelope("hello", { contentHash, isRetry: true });
    expect(await talk.stub.accept(retry)).toEqual({ status: "duplicate", seq });
  });

  test("of a command belongs to it for two minutes", async () => {
    const talk = new Conversation();
    const contentHash = crypto.randomUUID();
    const first = await talk.stub.accept(talk.envelope("/status", { contentHash }));
    await vi.waitFor(async () => {
      expect(await talk.inside(({ inbox }) => inbox.get(first.seq)?.status)).toBe("done");
    });
    const retry = () => talk.envelope("/status", { contentHash, isRetry: true });
    expect(await talk.stub.accept(retry())).toMatchObject({ status: "duplicate" });
    later(3 * minute);
    expect(await talk.stub.accept(retry())).toMatchObject({ status: "accepted" });
  });
});

describe("a repeat under the same key", () => {
  test("belongs to what was answered long ago", async () => {
    const talk = new Conversation();
    const [contentHash, key] = [crypto.randomUUID(), crypto.randomUUID()];
    const envelope = talk.envelope("hello", { contentHash }, key);
    const { seq } = await talk.stub.accept(envelope);
    await talk.turnOf(seq);
    later(60 * minute);
    expect(await talk.stub.accept(envelope)).toEqual({ status: "duplicate", seq });
  });

  test.each([
    ["is a new try for a caller who waits", { contentHash: "h" }, "accepted"],
    ["is dropped where nobody waits, as with platforms", {}, "duplicate"],
  ])("of what failed %s", async (_what, change, status) => {
    const talk = new Conversation();
    const key = crypto.randomUUID();
    const extra = { model: "nobody/nothing" };
    const { seq } = await talk.stub.accept(talk.envelope("hello", { ...change, extra }, key));
    expect(await talk.turnOf(seq)).toMatchObject({ status: "failed" });
    const again = await talk.stub.accept(talk.envelope("hello", change, key));
    expect(again.status).toBe(status);
    const third = await talk.stub.accept(talk.envelope("hello", change, key));
    expect(third).toEqual({ status: "duplicate", seq: again.seq });
  });
});
