import { afterEach, expect, test, vi } from "vitest";
import type { OutboxStore } from "#contract/session-store.ts";
import { deliver } from "#core/session/deliver.ts";
import { Conversation } from "./conversation.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** An outbox in which no row can be claimed. */
function withoutClaims(outbox: OutboxStore): OutboxStore {
  return {
    insert: (row) => outbox.insert(row),
    ofTurn: (turnId) => outbox.ofTurn(turnId),
    withPrefix: (prefix) => outbox.withPrefix(prefix),
    doubtful: (since) => outbox.doubtful(since),
    open: () => outbox.open(),
    settle: (seq, claim, change) => outbox.settle(seq, claim, change),
    remove: (seq) => outbox.remove(seq),
    takeOver: (seq, from, to, at) => outbox.takeOver(seq, from, to, at),
    prune: (before) => outbox.prune(before),
    claim() {
      throw new Error("the disk is away");
    },
  };
}

test("a send that breaks in the background is logged, and made by the alarm", async () => {
  const talk = new Conversation();
  const { seq } = await talk.stub.accept(talk.envelope("hello"));
  await talk.turnOf(seq);
  const logged = vi.spyOn(console, "error");
  await talk.withParts(
    ({ store }) => ({ store: { ...store, outbox: withoutClaims(store.outbox) } }),
    (ports) => deliver(ports, { kind: "interim", text: "from elsewhere" }, "key"),
  );
  await vi.waitFor(async () => {
    const rows = await talk.inside(({ outbox }) => outbox.withPrefix("deliver:key:"));
    expect(rows.map(({ status }) => status)).toEqual(["sent"]);
  });
  const lines = logged.mock.calls.map(([line]) => String(line));
  expect(lines).toContainEqual(expect.stringMatching(/background\.failed.*the disk is away/));
});
