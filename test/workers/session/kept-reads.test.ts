import fc from "fast-check";
import { expect, test } from "vitest";
import type { InboxKind, InboxStatus } from "#contract/inbox.ts";
import type { SessionStore } from "#contract/session-store.ts";
import type { Turn, TurnStatus } from "#contract/turn.ts";
import { createSessionStore } from "#platform/session/store.ts";
import { Conversation } from "./conversation.ts";

/**
 * The tables keep what they have read until a write. Whatever is written in whatever order, what they
 * then say is what is stored: the same as tables say that have kept nothing.
 */
const statuses = ["waiting", "taken", "buffered", "done"] as const satisfies InboxStatus[];
const kinds = ["message", "command"] as const satisfies InboxKind[];
const turnStatuses = ["running", "parked", "done"] as const satisfies TurnStatus[];

type Write = (store: SessionStore, talk: Conversation) => void;

const some = fc.nat({ max: 12 });

const inboxWrites: fc.Arbitrary<Write>[] = [
  fc.tuple(fc.constantFrom(...statuses), fc.constantFrom(...kinds), fc.uuid()).map(
    ([status, kind, id]): Write =>
      ({ inbox }, talk) =>
        inbox.insert({
          deliveryKey: id,
          identityKey: id,
          kind,
          status,
          message: talk.envelope(id).message,
          extra: {},
          contentHash: null,
          receivedAt: 1,
          notBefore: 0,
        }),
  ),
  fc.tuple(fc.array(some, { maxLength: 3 }), fc.constantFrom(...statuses)).map(
    ([seqs, status]): Write =>
      ({ inbox }) =>
        inbox.mark(seqs, status, null),
  ),
  fc.constantFrom("here", "there").map((to): Write => ({ inbox }, talk) => {
    const { channel, conversation } = talk.envelope("x").message.route;
    inbox.moveConversation(channel, conversation, to);
  }),
  some.map(
    (seq): Write =>
      ({ inbox }, talk) =>
        inbox.becomeMessage(seq, talk.envelope("x").message),
  ),
];

function turn(talk: Conversation, id: string, status: TurnStatus): Turn {
  const { route, sender } = talk.envelope("x").message;
  const detail = { route, sender, interactiveOwner: true, model: "demo/demo", thinking: "off" };
  const times = { nextAt: 0, startedAt: 1, endedAt: null };
  const counts = { step: 1, attempts: 0, resumes: 0 };
  const kind = { trigger: "user", phase: "model" };
  return { id, sessionId: "s", status, ...kind, ...counts, ...times, detail } as Turn;
}

/** There is never more than one running turn, which is the core's care. */
const mayRun = (store: SessionStore, status: TurnStatus, id: string) =>
  status !== "running" || [undefined, id].includes(store.turns.running()?.id);

const turnWrites: fc.Arbitrary<Write>[] = [
  fc.tuple(some, fc.constantFrom(...turnStatuses)).map(([n, status]): Write => (store, talk) => {
    const id = `t${n}`;
    if (store.turns.get(id)) return;
    if (mayRun(store, status, id)) store.turns.insert(turn(talk, id, status));
  }),
  fc.tuple(some, fc.constantFrom(...turnStatuses)).map(([n, status]): Write => (store) => {
    if (mayRun(store, status, `t${n}`)) store.turns.update(`t${n}`, { status });
  }),
  some.map(
    (n): Write =>
      ({ turns }) =>
        turns.update(`t${n}`, { attempts: n }),
  ),
];

const outboxWrites: fc.Arbitrary<Write>[] = [
  some.map((n): Write => ({ turns, outbox }, talk) => {
    // A turn's row comes first.
    if (!turns.get("t1")) turns.insert(turn(talk, "t1", "done"));
    outbox.insert({
      key: `k${n}`,
      turnId: "t1",
      kind: "final",
      mode: "send",
      route: talk.envelope("x").message.route,
      part: { payload: {}, text: "x" },
    });
  }),
  some.map(
    (seq): Write =>
      ({ outbox }) =>
        outbox.claim(seq, "me", 5),
  ),
  fc
    .tuple(some, fc.constantFrom("sent", "failed", "unknown", "prepared"))
    .map(([seq, status]): Write => ({ outbox }) => {
      const change =
        status === "sent"
          ? { status, messageId: "m" }
          : status === "prepared"
            ? { status, nextAt: 7, error: "later", attempt: true as const }
            : { status, error: "no", attempt: true as const };
      outbox.settle(seq, "me", change as Parameters<typeof outbox.settle>[2]);
    }),
];

const journalWrites: fc.Arbitrary<Write>[] = [
  fc
    .tuple(fc.constantFrom("t1", "t2"), fc.nat({ max: 2 }))
    .map(([turnId, n]): Write => ({ turns, journal }, talk) => {
      // A turn's row comes first.
      if (!turns.get(turnId)) turns.insert(turn(talk, turnId, "done"));
      if (journal.ofStep(turnId, 1).some(({ position }) => position === n)) return;
      const kind = n === 0 ? "model" : "tool";
      const call = { callId: `c${n}`, name: "ls", input: '{"path":"."}', output: null };
      const place = { turnId, step: 1, position: n };
      journal.insert({ ...place, kind, status: "pending", version: 1, ...call });
    }),
  some.map(
    (n): Write =>
      ({ journal }) =>
        journal.start("t1", 1, n % 3),
  ),
  some.map(
    (n): Write =>
      ({ journal }) =>
        journal.finish("t1", 1, n % 3, n < 4 ? null : { text: `${n}`, isError: n > 8 }),
  ),
];

function said({ inbox, turns, journal, outbox }: SessionStore): object {
  const rows = statuses.flatMap((status) =>
    kinds.map((kind) => [2, 50].map((limit) => inbox.list(status, kind, limit))),
  );
  const turnRows = [turns.running(), turns.parked(), turns.latest(), turns.get("t1")];
  const steps = ["t1", "t2"].map((id) => journal.ofStep(id, 1));
  return { rows, turnRows, steps, outbox: [outbox.open(), outbox.ofTurn("t1")] };
}

test.each([
  ["inbox", inboxWrites],
  ["turns", turnWrites],
  ["journal", journalWrites],
  ["outbox", outboxWrites],
])("what the tables keep in memory is what is stored: %s", async (_name, writes) => {
  const histories = fc.array(fc.oneof(...writes), { minLength: 1, maxLength: 25 });
  for (const history of fc.sample(histories, 40)) {
    const talk = new Conversation();
    await talk.inside((kept, { storage }) => {
      for (const write of history) {
        said(kept);
        write(kept, talk);
        const plain = createSessionStore(storage, () => Date.now());
        expect(said(kept)).toEqual(said(plain));
      }
    });
  }
});
