import { describe, expect, test } from "vitest";
import type { ReplyRoute } from "#contract/message.ts";
import type { NewOutboxRow } from "#contract/outbox.ts";
import type { Turn } from "#contract/turn.ts";
import type { DeliveryStore } from "#test/doubles/session-store.ts";

/** What the core's delivery relies on, of the store that lasts and of the one in memory alike. */
export interface StoreRig {
  readonly name: string;
  /** A fresh store whose clock is `now`. */
  with(now: () => number, act: (store: DeliveryStore) => void): Promise<void>;
}

const route: ReplyRoute = { channel: "c", account: "default", conversation: "1", kind: "direct" };

export function newRow(key: string, change: Partial<NewOutboxRow> = {}): NewOutboxRow {
  const part = { payload: { n: 1 }, text: key };
  return { key, turnId: null, kind: "final", mode: "send", route, part, ...change };
}

export function newTurn(id: string, change: Partial<Turn> = {}): Turn {
  const sender = { id: "u", name: "U", isOwner: true };
  const detail = { route, sender, interactiveOwner: true, model: "m", thinking: "off" } as const;
  const counts = { step: 1, attempts: 0, resumes: 0, nextAt: 0, startedAt: 0, endedAt: null };
  const kind = { sessionId: "s", status: "running", trigger: "user", phase: "model" } as const;
  return { id, ...kind, ...counts, detail, ...change };
}

export function sessionStoreSuite(rig: StoreRig): void {
  let time = 1_000;
  const check = (act: (store: DeliveryStore) => void) => () => rig.with(() => time, act);
  const keys = (rows: readonly { readonly key: string }[]) => rows.map(({ key }) => key);

  describe(`${rig.name}: the outbox`, () => {
    test(
      "stores a key once, and finds rows in order",
      check(({ outbox }) => {
        outbox.insert(newRow("a:0", { turnId: "t", mode: "edit", messageId: "m1" }));
        outbox.insert(newRow("b:0"));
        outbox.insert(newRow("a:1", { turnId: "t" }));
        outbox.insert(newRow("a:0", { turnId: "other" }));
        expect(outbox.open()[0]).toEqual({
          ...newRow("a:0", { turnId: "t", mode: "edit", messageId: "m1" }),
          seq: 1,
          status: "prepared",
          attempts: 0,
          nextAt: 0,
          claim: null,
          claimedAt: null,
          error: null,
          at: time,
        });
        expect(outbox.open()[1]).toMatchObject({ seq: 2, messageId: null });
        expect(keys(outbox.open())).toEqual(["a:0", "b:0", "a:1"]);
        expect(keys(outbox.ofTurn("t"))).toEqual(["a:0", "a:1"]);
        expect(keys(outbox.withPrefix("b:"))).toEqual(["b:0"]);
      }),
    );

    test(
      "gives a row to one claim, and lets only that one settle it",
      check(({ outbox }) => {
        outbox.insert(newRow("a"));
        expect(outbox.settle(1, "x", { status: "sent" })).toBe(false);
        expect(outbox.claim(1, "x", 5)).toBe(true);
        expect(outbox.claim(1, "y", 6)).toBe(false);
        expect(outbox.open()).toMatchObject([{ status: "sending", claim: "x", claimedAt: 5 }]);
        expect(outbox.settle(1, "y", { status: "sent" })).toBe(false);
        expect(outbox.settle(1, "x", { status: "sent", messageId: "m" })).toBe(true);
        expect(outbox.settle(1, "x", { status: "failed" })).toBe(false);
        expect(outbox.claim(1, "x", 7)).toBe(false);
        expect(outbox.open()).toEqual([]);
        expect(outbox.withPrefix("a")).toMatchObject([
          { status: "sent", messageId: "m", claim: null },
        ]);
      }),
    );

    test(
      "has a row tried again, and keeps what it is not told",
      check(({ outbox }) => {
        outbox.insert(newRow("a", { mode: "edit", messageId: "m" }));
        outbox.claim(1, "x", 5);
        const again = { status: "prepared", nextAt: 9, error: "busy", attempt: true } as const;
        expect(outbox.settle(1, "x", again)).toBe(true);
        expect(outbox.open()).toMatchObject([
          {
            status: "prepared",
            mode: "edit",
            messageId: "m",
            attempts: 1,
            nextAt: 9,
            error: "busy",
          },
        ]);
        expect(outbox.claim(1, "y", 9)).toBe(true);
        outbox.settle(1, "y", { status: "prepared", mode: "send" });
        expect(outbox.open()).toMatchObject([
          { mode: "send", attempts: 1, nextAt: 9, error: "busy" },
        ]);
      }),
    );

    test(
      "takes a prepared row away, and no other",
      check(({ outbox }) => {
        outbox.insert(newRow("a"));
        outbox.insert(newRow("b"));
        outbox.claim(2, "x", 5);
        expect(outbox.remove(1)).toBe(true);
        expect(outbox.remove(1)).toBe(false);
        expect(outbox.remove(2)).toBe(false);
        outbox.insert(newRow("a"));
        expect(keys(outbox.open())).toEqual(["b", "a"]);
      }),
    );

    test(
      "counts the age of a row from its end",
      check(({ outbox }) => {
        time = 1_000;
        outbox.insert(newRow("a"));
        outbox.insert(newRow("b"));
        time = 2_000;
        outbox.claim(1, "x", 5);
        outbox.settle(1, "x", { status: "unknown", error: "cut" });
        outbox.claim(2, "x", 5);
        outbox.settle(2, "x", { status: "prepared", error: "busy" });
        expect(keys(outbox.doubtful(2_000))).toEqual(["a"]);
        expect(outbox.open()).toMatchObject([{ key: "b", at: 1_000 }]);
        outbox.prune(2_000);
        expect(keys(outbox.withPrefix(""))).toEqual(["a", "b"]);
        outbox.prune(2_001);
        expect(keys(outbox.withPrefix(""))).toEqual(["b"]);
        time = 1_000;
      }),
    );

    test(
      "lets a row be taken over from the claim that has it",
      check(({ outbox }) => {
        outbox.insert(newRow("a"));
        expect(outbox.takeOver(1, "x", "y", 6)).toBe(false);
        outbox.claim(1, "x", 5);
        expect(outbox.takeOver(1, "z", "y", 6)).toBe(false);
        expect(outbox.takeOver(1, "x", "y", 6)).toBe(true);
        expect(outbox.settle(1, "x", { status: "sent" })).toBe(false);
        expect(outbox.open()).toMatchObject([{ claim: "y", claimedAt: 6 }]);
      }),
    );

    test(
      "finds what is in doubt, and forgets what has ended long ago",
      check(({ outbox }) => {
        for (const status of ["sent", "failed", "unknown", "prepared"] as const) {
          time += 10;
          outbox.insert(newRow(status));
          const [row] = outbox.withPrefix(status);
          outbox.claim(row?.seq ?? 0, "x", time);
          outbox.settle(row?.seq ?? 0, "x", { status });
        }
        expect(keys(outbox.doubtful(0))).toEqual(["failed", "unknown"]);
        expect(keys(outbox.doubtful(time - 10))).toEqual(["unknown"]);
        outbox.prune(time - 10);
        expect(keys(outbox.withPrefix(""))).toEqual(["unknown", "prepared"]);
        outbox.prune(time + 1);
        expect(keys(outbox.withPrefix(""))).toEqual(["prepared"]);
      }),
    );
  });

  describe(`${rig.name}: turns and settings`, () => {
    test(
      "at most one turn runs, and each is found by what it is",
      check(({ turns }) => {
        expect([turns.running(), turns.latest(), turns.get("a"), ...turns.parked()]).toEqual([
          null,
          null,
          null,
        ]);
        turns.insert(newTurn("a"));
        expect(() => turns.insert(newTurn("b"))).toThrow(/a is running/);
        turns.update("a", { status: "parked" });
        turns.insert(newTurn("b"));
        expect(() => turns.update("a", { status: "running" })).toThrow(/b is running/);
        turns.update("b", { attempts: 3 });
        expect(turns.running()).toEqual(newTurn("b", { attempts: 3 }));
        expect(turns.parked()).toEqual([newTurn("a", { status: "parked" })]);
        expect(turns.latest()?.id).toBe("b");
        turns.update("b", { status: "done", endedAt: 5 });
        turns.update("a", { status: "done", endedAt: 5 });
        turns.prune(6);
        expect([turns.get("a"), turns.get("b")?.status]).toEqual([null, "done"]);
      }),
    );

    test(
      "a value is kept under its name until it is deleted",
      check(({ settings }) => {
        expect(settings.get("n")).toBeUndefined();
        settings.set("n", { deep: [1, null] });
        settings.set("n", { deep: [2] });
        expect(settings.get("n")).toEqual({ deep: [2] });
        settings.delete("n");
        expect(settings.get("n")).toBeUndefined();
      }),
    );

    test(
      "what throws has written nothing",
      check((store) => {
        const { outbox, turns, settings } = store;
        outbox.insert(newRow("a"));
        turns.insert(newTurn("t"));
        const breaks = () =>
          store.transaction(() => {
            outbox.insert(newRow("b"));
            outbox.claim(1, "x", 5);
            turns.update("t", { step: 7 });
            settings.set("n", 1);
            throw new Error("no");
          });
        expect(breaks).toThrow("no");
        expect(outbox.open()).toMatchObject([{ key: "a", status: "prepared", claim: null }]);
        expect(turns.get("t")?.step).toBe(1);
        expect(settings.get("n")).toBeUndefined();
        expect(store.transaction(() => outbox.claim(1, "x", 5))).toBe(true);
      }),
    );
  });
}
