import { expect, test } from "vitest";
import type { TurnEvent } from "#contract/turn.ts";
import { LiveTurns } from "#core/state/live.ts";

test("whoever comes while an answer is being written is given what was written before", () => {
  const live = new LiveTurns();
  live.partial = { turnId: "t1", text: "raw <thin", visible: () => "So far" };
  const heard: TurnEvent[] = [];
  live.watch("t1", (event) => heard.push(event));
  expect(heard).toEqual([{ type: "text-delta", text: "So far" }]);
  expect(live.shown("t1")).toBe("So far");
});

test("a second watcher is given what the first has been shown, no more", () => {
  const live = new LiveTurns();
  live.watch("t1", () => {});
  live.emit("t1", { type: "text-delta", text: "One" });
  live.partial = { turnId: "t1", text: "One two", visible: () => "One two" };
  const heard: TurnEvent[] = [];
  live.watch("t1", (event) => heard.push(event));
  expect(heard).toEqual([{ type: "text-delta", text: "One" }]);
});

test("the answer of another turn is nobody's beginning", () => {
  const live = new LiveTurns();
  live.partial = { turnId: "t1", text: "x", visible: () => "x" };
  const heard: TurnEvent[] = [];
  live.watch("t2", (event) => heard.push(event));
  expect(heard).toEqual([]);
});
