import { describe, expect, test } from "vitest";
import { configSchema } from "#contract/config.ts";
import { memoryAccess, memoryIdentity, noMemory } from "#core/agent/memory-access.ts";

function rules(memory: object = {}, off = false) {
  const session = { identityLinks: { bea: ["telegram:42", "slack:U9"], zoe: ["7"] } };
  const config = configSchema.parse({ memory, session });
  return { config, off, caseSensitiveIds: false };
}

const place = (id: string, isOwner: boolean, route: object = {}) => ({
  sender: { id, isOwner },
  route: { channel: "telegram", conversation: id, kind: "direct" as const, ...route },
});
const owner = place("1", true);
const bea = place("42", false);
const group = { kind: "group" as const, conversation: "-100" };
const look = { files: true, read: true, write: false };

describe("without shareWith", () => {
  test("an owner's direct chat has the whole memory", () => {
    expect(memoryAccess(rules(), owner)).toEqual({ files: true, read: true, write: true });
  });

  test.each([
    ["a second person", bea],
    ["an owner in a group", place("1", true, group)],
    ["a guest in a group", place("42", false, group)],
  ])("%s has none of it", (_who, where) => {
    expect(memoryAccess(rules(), where)).toEqual(noMemory);
  });
});

describe("shareWith", () => {
  test.each([["bea"], ["telegram:42"], ["Telegram:42"], ["slack:U9", "telegram:42"]])(
    "%s lets the person named look, and not write",
    (...shareWith) => {
      expect(memoryAccess(rules({ shareWith }), bea)).toEqual(look);
    },
  );

  test.each([["42"], ["slack:42"], ["zoe"], ["telegram:group:42"], ["telegram:1"]])(
    "%s is not that person",
    (...shareWith) => {
      expect(memoryAccess(rules({ shareWith }), bea)).toEqual(noMemory);
    },
  );

  test("a person is not let in who is linked by a bare id only", () => {
    expect(memoryAccess(rules({ shareWith: ["zoe"] }), place("7", false))).toEqual(noMemory);
  });

  test("a group is let in by its own name only, with whoever reads it", () => {
    const named = rules({ shareWith: ["telegram:group:-100"] });
    expect(memoryAccess(named, place("99", false, group))).toEqual(look);
    expect(memoryAccess(named, place("1", true, group))).toEqual(look);
    expect(memoryAccess(named, place("-100", false))).toEqual(noMemory);
    const person = rules({ shareWith: ["bea", "telegram:42"] });
    expect(memoryAccess(person, place("42", false, group))).toEqual(noMemory);
  });
});

test("where memory is off nothing is read or written", () => {
  expect(memoryAccess(rules({ shareWith: ["bea"] }, true), bea)).toEqual(noMemory);
  expect(memoryAccess(rules({}, true), owner)).toEqual(noMemory);
});

test("without memory.enabled the files stay, and the tools go", () => {
  const only = { files: true, read: false, write: false };
  expect(memoryAccess(rules({ enabled: false }), owner)).toEqual(only);
});

test("people are told apart across channels as the links say; a group is nobody", () => {
  expect(memoryIdentity(rules(), bea)).toBe("person:bea");
  expect(memoryIdentity(rules(), place("U9", false, { channel: "slack" }))).toBe("person:bea");
  expect(memoryIdentity(rules(), owner)).toBe("owner");
  expect(memoryIdentity(rules(), place("x", true, { channel: "api" }))).toBe("owner");
  expect(memoryIdentity(rules(), place("99", false))).toBe("telegram:99");
  expect(memoryIdentity(rules(), place("1", true, group))).toBeNull();
});
