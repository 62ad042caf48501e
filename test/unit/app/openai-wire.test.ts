import { describe, expect, test } from "vitest";
import { outcomeReasons } from "#contract/outcome.ts";
import { turnEventSchema, type TurnEnd } from "#contract/turn.ts";
import { noUsage } from "#kit/model/ending.ts";
import { failureOf, wireOf } from "#app/openai-wire.ts";

function ended(change: Partial<TurnEnd>): TurnEnd {
  const common = { type: "ended", turnId: "t", text: "words", usage: noUsage } as const;
  return { ...common, status: "failed", reason: "end", ...change };
}

describe("a turn's end for an API caller", () => {
  test("is an error of the server or of its limits, and never the caller's, for each reason", () => {
    const statuses = outcomeReasons.map((reason) => wireOf(reason).status);
    expect(new Set(statuses)).toEqual(new Set([429, 502, 503]));
  });

  test.each([
    ["rate_limit", 429],
    ["overloaded", 503],
    ["timeout", 503],
    ["interrupted", 503],
    ["tool_loop", 502],
    ["auth", 502],
  ] as const)("that failed for %s has status %i and says why", (reason, status) => {
    expect(failureOf(ended({ reason }))).toEqual({ status, message: "words", code: reason });
  });

  test.each(["done", "aborted", "parked"] as const)("that is %s is no failure", (status) => {
    expect(failureOf(ended({ status, reason: "stopped" }))).toBeNull();
  });

  test("was cut only when the model's output limit was reached", () => {
    const cut = outcomeReasons.filter((reason) => wireOf(reason).finish === "length");
    expect(cut).toEqual(["length"]);
  });
});

test("an event of a version that knows other reasons is still an end", () => {
  const event = { ...ended({}), reason: "of_tomorrow" };
  expect(turnEventSchema.parse(event)).toEqual(ended({ reason: "unknown" }));
});
