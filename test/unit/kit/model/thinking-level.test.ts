import { expect, it } from "vitest";
import { nearestLevel } from "#kit/model/thinking-level.ts";

it.each([
  ["high", ["off", "low", "high"], "high"],
  ["xhigh", ["off", "low", "high"], "high"],
  ["minimal", ["off", "low"], "off"],
  ["medium", ["off", "low", "high", "max"], "low"],
  ["off", ["low", "medium"], "low"],
  ["max", ["off"], "off"],
  ["high", [], "off"],
] as const)("maps %s on %j to %s", (wished, supported, expected) => {
  expect(nearestLevel(wished, supported)).toBe(expected);
});
