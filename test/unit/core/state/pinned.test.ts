import { expect, test } from "vitest";
import { isPinned } from "#core/state/pinned.ts";

const session = { sessionKey: "agent:main:slack:group:c0fake01", address: "slack:c0fake01" };

test("a conversation is pinned by its key or its address, whatever their case", () => {
  expect(isPinned(["agent:main:slack:group:C0FAKE01"], session)).toBe(true);
  expect(isPinned(["slack:C0FAKE01"], session)).toBe(true);
  expect(isPinned(["slack:C0FAKE02", "C0FAKE01"], session)).toBe(false);
  expect(isPinned([""], { ...session, address: null })).toBe(false);
});
