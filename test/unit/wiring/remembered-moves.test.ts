import { expect, test } from "vitest";
import { rememberMoves } from "#wiring/remembered-moves.ts";

const move = { channel: "telegram", from: "-500100", to: "-1009990004" };

function log() {
  const moves = new Map<string, string>();
  const at = { now: 1_760_000_000_000, reads: 0 };
  const made = rememberMoves(
    {
      record({ from, to }) {
        moves.set(to, from);
        return Promise.resolve();
      },
      formerId(_channel, conversation) {
        at.reads += 1;
        return Promise.resolve(moves.get(conversation) ?? null);
      },
    },
    () => at.now,
  );
  return { made, at, moves, former: () => made.formerId("telegram", move.to) };
}

test("that a group has moved is read once for good", async () => {
  const { made, at, former } = log();
  await made.record(move);
  expect(await former()).toBe(move.from);
  at.now += 86_400_000;
  expect(await former()).toBe(move.from);
  expect(at.reads).toBe(1);
});

test("that it has not is believed a minute, unless it is told here that it has", async () => {
  const { at, moves, former } = log();
  expect(await former()).toBeNull();
  moves.set(move.to, move.from);
  at.now += 59_000;
  expect(await former()).toBeNull();
  expect(at.reads).toBe(1);
  at.now += 1_000;
  expect(await former()).toBe(move.from);

  const told = log();
  expect(await told.former()).toBeNull();
  await told.made.record(move);
  expect(await told.former()).toBe(move.from);
});

test("a clock that was set back keeps no answer alive", async () => {
  const { at, moves, former } = log();
  expect(await former()).toBeNull();
  moves.set(move.to, move.from);
  at.now -= 3_600_000;
  expect(await former()).toBe(move.from);
});

test("a read that fails is not remembered", async () => {
  let reads = 0;
  const made = rememberMoves(
    {
      record: () => Promise.resolve(),
      formerId: () => (reads++ === 0 ? Promise.reject(new Error("down")) : Promise.resolve("-1")),
    },
    () => 0,
  );
  await expect(made.formerId("telegram", "-2")).rejects.toThrow("down");
  expect(await made.formerId("telegram", "-2")).toBe("-1");
});

test("while the database fails, what was known last stands", async () => {
  let now = 0;
  const answers = [Promise.resolve(null), Promise.reject(new Error("down"))];
  void answers[1]?.catch(() => {});
  const made = rememberMoves(
    {
      record: () => Promise.resolve(),
      formerId: () => answers.shift() ?? Promise.resolve("-1"),
    },
    () => now,
  );
  expect(await made.formerId("telegram", "-2")).toBeNull();
  now += 61_000;
  expect(await made.formerId("telegram", "-2")).toBeNull();
  expect(await made.formerId("telegram", "-2")).toBe("-1");
});
