import { expect, test } from "vitest";
import { isClean, isLower, lowestTrust, trusts } from "#contract/transcript.ts";

test("only what an owner or the agent is behind is clean", () => {
  expect(trusts.filter(isClean)).toEqual(["owner", "agent"]);
});

test("a mixture is as good as its lowest part, in any order", () => {
  expect(lowestTrust(["agent", "untrusted", "owner"])).toBe("untrusted");
  expect(lowestTrust(["system", "agent"])).toBe("system");
  expect(lowestTrust(["owner"])).toBe("owner");
  expect(lowestTrust([])).toBe("owner");
});

test("each class is lower than those before it", () => {
  expect(isLower("agent", "owner")).toBe(true);
  expect(isLower("untrusted", "system")).toBe(true);
  expect(isLower("owner", "owner")).toBe(false);
  expect(isLower("owner", "agent")).toBe(false);
});
