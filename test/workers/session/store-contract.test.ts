import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSessionStore } from "#platform/session/store.ts";
import { newRow, sessionStoreSuite } from "#test/contract/session-store-suite.ts";
import { MemorySessionStore, type DeliveryStore } from "#test/doubles/session-store.ts";
import { Conversation } from "./conversation.ts";

/** The store on SQLite keeps the contract of the one in memory, by which delivery is tested. */
function withStore(now: () => number, act: (store: DeliveryStore) => void): Promise<void> {
  return runInDurableObject(new Conversation().stub, (_instance, { storage }) =>
    act(createSessionStore(storage, now)),
  );
}

sessionStoreSuite({ name: "on SQLite", with: withStore });

const seq = fc.integer({ min: 1, max: 4 });
const claim = fc.constantFrom("x", "y");
const status = fc.constantFrom("prepared", "sent", "failed", "unknown" as const);
const deed = fc.oneof(
  fc.tuple(fc.constantFrom("a:0", "a:1", "b:0", "b:1"), fc.constantFrom("t", null)).map(
    ([key, turnId]) =>
      ({ outbox }: DeliveryStore) =>
        outbox.insert(newRow(key, { turnId })),
  ),
  fc.tuple(seq, claim).map(
    ([row, by]) =>
      ({ outbox }: DeliveryStore) =>
        outbox.claim(row, by, 5),
  ),
  fc.tuple(seq, claim, status, fc.boolean()).map(
    ([row, by, next, attempt]) =>
      ({ outbox }: DeliveryStore) =>
        outbox.settle(row, by, { status: next, attempt, error: next }),
  ),
  fc.tuple(seq, claim, claim).map(
    ([row, from, to]) =>
      ({ outbox }: DeliveryStore) =>
        outbox.takeOver(row, from, to, 7),
  ),
);

test("both answer the same, whatever is done to them", async () => {
  await withStore(
    () => 1,
    (real) => {
      const property = fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
        const memory = new MemorySessionStore(() => 1);
        const look = ({ outbox }: DeliveryStore) =>
          [outbox.open(), outbox.ofTurn("t"), outbox.withPrefix("a:"), outbox.doubtful(0)] as const;
        // Rolled back in the end, so that each try begins with an empty table.
        const undo = new Error("undo");
        const run = () =>
          real.transaction(() => {
            for (const act of deeds) {
              expect(act(real)).toEqual(act(memory));
              expect(look(real)).toEqual(look(memory));
            }
            throw undo;
          });
        expect(run).toThrow(undo);
      });
      fc.assert(property, { numRuns: 60 });
    },
  );
});
