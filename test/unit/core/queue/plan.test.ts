import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { queueModes, type QueueMode } from "#contract/config.ts";
import { ALBUM_HOLD_MS, MAX_HOLD_MS } from "#core/queue/hold.ts";
import { planQueue, type QueueState } from "#core/queue/plan.ts";
import type { QueueRow } from "#core/queue/row.ts";
import { home, image, row, type RowChange } from "./rows.ts";

const running = { route: home };
const elsewhere = { conversation: "-1009990001", kind: "group" as const };
function plan(rows: QueueRow[], change: Partial<QueueState<QueueRow>> = {}) {
  return planQueue({ rows, running: null, mode: "steer", cap: 20, now: 0, ...change });
}
const nothing = { take: null, steer: null, lookAt: null };

test("what was held before the clock was set back is taken at once", () => {
  const held = [image(1, "", { at: 3_600_000 })];
  expect(plan(held, { now: 3_600_000 }).take).toBeNull();
  expect(plan(held, { now: 0 }).take?.seqs).toEqual([1]);
  expect(plan(held, { now: 0, running }).steer?.seqs).toEqual([1]);
});

describe("while nothing runs", () => {
  test("there is nothing to do without messages", () => {
    expect(plan([])).toEqual(nothing);
  });

  test.each<[QueueMode, number[]]>([
    ["steer", [1, 2, 4]],
    ["collect", [1, 2, 4]],
    ["interrupt", [1, 2, 4]],
    ["followup", [1]],
  ])("mode %s begins a turn with %j", (mode, seqs) => {
    const rows = [row(1), row(2), row(3, { route: elsewhere }), row(4)];
    const { take, ...rest } = plan(rows, { mode });
    expect(take).toMatchObject({ seqs, overflow: null });
    expect(take?.rows.map(({ seq }) => seq)).toEqual(seqs);
    expect(rest).toEqual({ steer: null, lookAt: null });
  });

  test("threads of one conversation are answered apart", () => {
    const rows = [row(1), row(2, { route: { thread: "285" } })];
    expect(plan(rows, { mode: "collect" }).take?.seqs).toEqual([1]);
  });

  test("an owner and other people do not share a turn", () => {
    const guest = { sender: "222000222", isOwner: false };
    const rows = [row(1), row(2), row(3, guest), row(4), row(5, guest)];
    for (const mode of ["steer", "collect", "interrupt"] as const) {
      expect(plan(rows, { mode }).take?.seqs).toEqual([1, 2]);
      expect(plan(rows.slice(2), { mode }).take?.seqs).toEqual([3]);
    }
  });

  test("a message with settings of its own has a turn of its own", () => {
    const rows = [row(1, { extra: { model: "demo/demo" } }), row(2)];
    expect(plan(rows).take?.seqs).toEqual([1]);
    expect(plan([row(1), row(2, { extra: { history: [] } }), row(3)]).take?.seqs).toEqual([1, 3]);
    expect(plan([row(1, { extra: {} }), row(2)]).take?.seqs).toEqual([1, 2]);
  });
});

describe("while a turn runs", () => {
  // B30
  test.each<[QueueMode, number[] | undefined]>([
    ["steer", [1, 3]],
    ["followup", undefined],
    ["collect", undefined],
    ["interrupt", undefined],
  ])("mode %s steers %j", (mode, steered) => {
    const rows = [row(1), row(2, { route: elsewhere }), row(3)];
    const planned = plan(rows, { mode, running });
    expect(planned.steer?.seqs).toEqual(steered);
    expect(planned).toMatchObject({ take: null, lookAt: null });
  });

  test("a message for another place does not join", () => {
    const rows = [row(1, { route: elsewhere }), row(2, { extra: { instructions: "be brief" } })];
    for (const mode of queueModes) expect(plan(rows, { mode, running })).toEqual(nothing);
  });

  test("commands are no part of the plan", () => {
    const rows = [row(3, { kind: "command" }), row(1), row(2, { kind: "command" })];
    expect(plan(rows).take?.seqs).toEqual([1]);
    expect(plan(rows, { running }).steer?.seqs).toEqual([1]);
  });
});

describe("albums", () => {
  // B13
  test("are gathered until no part has come for a while, and are one message", () => {
    const message = (id: string) => ({ platformMessageId: id });
    const rows = [
      image(1, "", { at: 0, message: message("52") }),
      image(2, "before", { at: 400, message: message("51") }),
      image(3, "after", { at: 900, message: message("53") }),
    ];
    const due = 900 + ALBUM_HOLD_MS;
    expect(plan(rows, { now: due - 1 })).toEqual({ ...nothing, lookAt: due });
    const { take } = plan(rows, { now: due });
    expect(take?.seqs).toEqual([1, 2, 3]);
    expect(take?.rows).toHaveLength(1);
    expect(take?.rows[0]?.message.text).toBe("image 1: before\nimage 3: after");
    expect(plan(rows, { now: due, running }).steer?.rows).toHaveLength(1);
  });

  test("of two people stay two", () => {
    const rows = [image(1, "", { sender: "1" }), image(2, "", { sender: "2" })];
    expect(plan(rows, { now: 60_000 }).take?.rows).toHaveLength(2);
  });

  test("end their hold when the same person goes on writing", () => {
    const rows = [image(1, "", { at: 0 }), image(2, "", { at: 100 }), row(3, { at: 200 })];
    expect(plan(rows, { now: 200 }).take?.seqs).toEqual([1, 2, 3]);
  });

  test("are taken in the end, even if parts keep coming", () => {
    const rows = Array.from({ length: 60 }, (_, index) =>
      image(index + 1, "", { at: index * 500 }),
    );
    expect(plan(rows, { now: MAX_HOLD_MS }).take?.rows).toHaveLength(1);
  });
});

describe("debounce", () => {
  const text = (seq: number, at: number, change: RowChange = {}) =>
    row(seq, { at, debounceMs: 800, ...change });

  test("gathers a burst of one person and keeps its texts apart", () => {
    const rows = [text(1, 0), text(2, 500), text(3, 1200)];
    expect(plan(rows, { now: 1999 })).toEqual({ ...nothing, lookAt: 2000 });
    expect(plan(rows, { now: 2000 }).take?.rows.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test("ends with a pause, a file or a command-like press", () => {
    expect(plan([text(1, 0), text(2, 900)], { now: 900 }).take?.seqs).toEqual([1]);
    const file = { attachments: [{ kind: "file" as const }] };
    expect(plan([text(1, 0), text(2, 100, { message: file })], { now: 100 }).take?.seqs).toEqual([
      1, 2,
    ]);
    const press = text(2, 100, { message: { action: "a:1" } });
    expect(plan([text(1, 0), press], { now: 100 }).take?.seqs).toEqual([1, 2]);
  });

  test("of one person does not wait for another", () => {
    const rows = [text(1, 0), text(2, 700, { sender: "222000222" })];
    expect(plan(rows, { now: 800 }).take?.seqs).toEqual([1]);
  });

  test("does not join what has a turn of its own", () => {
    const rows = [text(1, 0), text(2, 100, { extra: { model: "demo/demo" } })];
    expect(plan(rows, { now: 100 }).take?.seqs).toEqual([1]);
  });

  test("is looked at again while a turn runs only if it could join", () => {
    const rows = [text(1, 0)];
    expect(plan(rows, { running }).lookAt).toBe(800);
    expect(plan(rows, { running, mode: "interrupt" }).lookAt).toBe(800);
    expect(plan(rows, { running, mode: "collect" }).lookAt).toBeNull();
  });
});

describe("overflow", () => {
  const many = Array.from({ length: 25 }, (_, index) => row(index + 1));

  test("is summed up, not dropped", () => {
    const { take } = plan(many, { mode: "collect" });
    expect(take?.seqs).toHaveLength(25);
    expect(take?.rows.map(({ seq }) => seq)).toEqual(many.slice(5).map(({ seq }) => seq));
    expect(take?.overflow?.split("\n")).toEqual([
      "[5 earlier messages did not fit the queue and came through only in part]",
      ...[1, 2, 3, 4, 5].map((seq) => `- Person 111000111: message ${seq}`),
    ]);
    expect(plan(many, { running }).steer?.overflow).toBe(take?.overflow);
  });

  test("goes before the next message where each has its own turn", () => {
    const { take } = plan(many, { mode: "followup" });
    expect(take?.seqs).toEqual([1, 2, 3, 4, 5, 6]);
    expect(take?.rows.map(({ seq }) => seq)).toEqual([6]);
  });

  test("counts each place by itself", () => {
    const rows = many.map((each, index) =>
      index % 2 ? each : row(each.seq, { route: elsewhere }),
    );
    expect(plan(rows, { mode: "collect", cap: 13 }).take?.overflow).toBeNull();
  });

  test("is one line a message, however long, and names files", () => {
    const long = row(1, { message: { text: `a\nSystem: b\n${"🙂".repeat(400)}` } });
    const file = row(2, {
      message: { text: "", attachments: [{ kind: "image" }, { kind: "file" }] },
    });
    const overflow = plan([long, file, row(3)], { cap: 1 }).take?.overflow ?? "";
    const [, first = "", second] = overflow.split("\n");
    expect(overflow.split("\n")).toHaveLength(3);
    expect(first).toMatch(/^- Person 111000111: a System: b 🙂+…$/u);
    expect(Array.from(first).length).toBeLessThan(200);
    expect(second).toBe("- Person 111000111: [image] [file]");
  });

  test("stays short for a flood", () => {
    const flood = Array.from({ length: 2000 }, (_, index) => row(index + 1));
    const { take } = plan(flood, { mode: "collect" });
    expect(take?.overflow?.length).toBeLessThan(8_000);
    expect(take?.overflow).toContain("1940 older ones");
    expect(take?.seqs).toHaveLength(2000);
  });
});

describe("any queue", () => {
  const arrival = fc.record({
    pause: fc.nat(1500),
    sender: fc.constantFrom("1", "2"),
    thread: fc.constantFrom(undefined, "285"),
    album: fc.constantFrom(undefined, undefined, "a", "b"),
    command: fc.boolean(),
    alone: fc.boolean(),
  });
  const arrivals = fc.array(arrival, { maxLength: 30 }).map((list) => {
    let at = 0;
    return list.map(({ pause, sender, thread, album, command, alone }, index) => {
      at += pause;
      const route = thread === undefined ? {} : { thread };
      const change = {
        at,
        sender,
        route,
        debounceMs: 800,
        ...(alone && { extra: { model: "m" } }),
      };
      if (command && alone) return row(index + 1, { ...change, kind: "command" });
      const message = { albumId: album ?? "" };
      return album === undefined
        ? row(index + 1, change)
        : image(index + 1, "x", { ...change, message });
    });
  });
  const settings = { mode: fc.constantFrom(...queueModes), cap: fc.integer({ min: 1, max: 5 }) };

  test("is emptied turn by turn: every message is used once, none is left", () => {
    fc.assert(
      fc.property(arrivals, fc.record(settings), (rows, { mode, cap }) => {
        let waiting = rows.filter(({ kind }) => kind === "message");
        let now = 0;
        const used: number[] = [];
        for (let turns = 0; waiting.length > 0 && turns < 100; turns++) {
          const { take, lookAt } = plan(waiting, { mode, cap, now });
          expect(take === null).toBe(lookAt !== null);
          if (lookAt !== null) {
            expect(lookAt).toBeGreaterThan(now);
            now = lookAt;
          }
          used.push(...(take?.seqs ?? []));
          waiting = waiting.filter(({ seq }) => !take?.seqs.includes(seq));
        }
        expect(waiting).toEqual([]);
        expect(new Set(used).size).toBe(used.length);
      }),
    );
  });

  test("is planned the same whatever the order of its rows, and never by the future", () => {
    fc.assert(
      fc.property(arrivals, fc.record(settings), fc.nat(20_000), (rows, { mode, cap }, now) => {
        const state = { mode, cap, now, running: null };
        const planned = plan(rows, state);
        expect(plan([...rows].reverse(), state)).toEqual(planned);
        for (const each of planned.take?.rows ?? []) {
          expect(each.message.receivedAt).toBeLessThanOrEqual(now);
        }
      }),
    );
  });

  test("never mixes places or rights, and never steers what waits for a turn of its own", () => {
    fc.assert(
      fc.property(arrivals, fc.record(settings), fc.boolean(), (rows, { mode, cap }, busy) => {
        const planned = plan(rows, { mode, cap, now: 1e9, running: busy ? running : null });
        const batch = planned.take ?? planned.steer;
        const threads = new Set(batch?.rows.map(({ message }) => message.route.thread));
        expect(threads.size).toBeLessThanOrEqual(1);
        if (planned.steer) expect([...threads]).toEqual([undefined]);
        const rights = new Set(planned.take?.rows.map(({ message }) => message.sender.isOwner));
        expect(rights.size).toBeLessThanOrEqual(1);
        const alone = batch?.rows.filter(({ extra }) => extra !== undefined) ?? [];
        if (alone.length > 0) expect(batch?.rows.length === 1 && busy === false).toBe(true);
      }),
    );
  });
});
