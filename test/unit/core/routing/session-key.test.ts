import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PART_LIMIT } from "#core/routing/key-part.ts";
import {
  buildSessionKey,
  MAX_SUBAGENT_DEPTH,
  parseSessionKey,
  type SessionAddress,
  type SessionScope,
} from "#core/routing/session-key.ts";

const agentId = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/);
/** Ids as platforms, clients and attackers choose them. */
const part = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("", "main", "direct", "group", "thread", "cron", "run", "api", "linked", "once"),
  fc.constantFrom(
    "a:b",
    "%3a",
    "^a",
    "A",
    "~",
    "%",
    "U0FAKE0001",
    "-1009990001",
    "%ud800",
    "\ud800",
  ),
  fc.integer({ min: 100, max: 3000 }).map((length) => "x".repeat(length)),
  fc.string({ unit: "binary", minLength: 60, maxLength: 400 }),
);
const thread = fc.option(part, { nil: undefined });
const present = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

const scope: fc.Arbitrary<SessionScope> = fc
  .oneof(
    fc.constant({ kind: "main" }),
    fc.constant({ kind: "heartbeat" }),
    fc.record({ kind: fc.constant("linked"), person: part }),
    fc.record({ kind: fc.constant("peer"), peer: part }),
    fc.record({ kind: fc.constant("direct"), channel: part, account: thread, peer: part, thread }),
    fc.record({ kind: fc.constant("group"), channel: part, conversation: part, thread }),
    fc.record({ kind: fc.constant("api"), user: part }),
    fc.record({ kind: fc.constant("api-once"), request: part }),
    fc.record({ kind: fc.constant("cron"), job: part, run: part }),
    fc.record({
      kind: fc.constant("subagent"),
      path: fc.array(part, { minLength: 1, maxLength: MAX_SUBAGENT_DEPTH }),
    }),
    fc.record({ kind: fc.constant("hook"), id: part }),
  )
  .map((value) => present(value) as SessionScope);
const address: fc.Arbitrary<SessionAddress> = fc.record({ agentId, scope });

const isShort = (value: SessionAddress) =>
  Object.values(value.scope)
    .flat()
    .every((text) => encodedLength(String(text)) <= PART_LIMIT);
/** Upper bound of what one id takes up in a key. */
function encodedLength(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (/[a-z]/.test(character) ? 1 : 12), 0);
}

describe("a session key", () => {
  test("says again what it was built from", () => {
    fc.assert(
      fc.property(address.filter(isShort), (value) => {
        expect(parseSessionKey(buildSessionKey(value, true))).toEqual(value);
      }),
    );
  });

  test("is built again from what it says, also when ids were too long", () => {
    fc.assert(
      fc.property(address, fc.boolean(), (value, caseSensitive) => {
        const key = buildSessionKey(value, caseSensitive);
        const parsed = parseSessionKey(key);
        expect(parsed).not.toBeNull();
        expect(parsed && buildSessionKey(parsed, true)).toBe(key);
      }),
    );
  });

  test("is never shared by two addresses", () => {
    fc.assert(
      fc.property(address, address, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(buildSessionKey(one, true) === buildSessionKey(other, true)).toBe(same);
      }),
      { numRuns: 500 },
    );
  });

  test("differs when any one id differs", () => {
    fc.assert(
      fc.property(agentId, part, part, (agent, one, other) => {
        fc.pre(one !== other);
        const keys = (id: string) =>
          [
            { kind: "peer", peer: id } as const,
            { kind: "group", channel: "telegram", conversation: id } as const,
            { kind: "group", channel: "telegram", conversation: "1", thread: id } as const,
            { kind: "direct", channel: "telegram", account: id, peer: "1" } as const,
          ].map((each) => buildSessionKey({ agentId: agent, scope: each }, true));
        expect(new Set([...keys(one), ...keys(other)]).size).toBe(8);
      }),
    );
  });

  test("is lower-case ASCII of at most 1,000 bytes", () => {
    fc.assert(
      fc.property(address, fc.boolean(), (value, caseSensitive) => {
        const key = buildSessionKey(value, caseSensitive);
        expect(key).toMatch(/^[\x21-\x7e]{1,1000}$/);
        expect(key).toBe(key.toLowerCase());
      }),
    );
  });

  test("of the longest address still fits", () => {
    const long = "é".repeat(5000);
    const id = "a".repeat(64);
    const deep = { kind: "subagent", path: Array.from({ length: 5 }, () => long) } as const;
    const wide = {
      kind: "direct",
      channel: long,
      account: long,
      peer: long,
      thread: long,
    } as const;
    for (const each of [deep, wide]) {
      expect(buildSessionKey({ agentId: id, scope: each }).length).toBeLessThanOrEqual(1000);
    }
  });

  // B24
  test("is one for ids that differ by case only, unless the channel tells them apart", () => {
    const key = (conversation: string, caseSensitive: boolean) =>
      buildSessionKey(
        { agentId: "main", scope: { kind: "group", channel: "slack", conversation } },
        caseSensitive,
      );
    expect(key("C0FAKE0001", false)).toBe("agent:main:slack:group:c0fake0001");
    expect(key("c0fake0001", false)).toBe(key("C0FAKE0001", false));
    expect(key("C0FAKE0001", true)).toBe("agent:main:slack:group:^c0^f^a^k^e0001");
    expect(key("c0fake0001", true)).not.toBe(key("C0FAKE0001", true));
  });

  test("folds case character by character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 8 }), (text) => {
        const key = (peer: string) =>
          buildSessionKey({ agentId: "a", scope: { kind: "peer", peer } });
        const lower = Array.from(text, (character) => character.toLowerCase()).join("");
        expect(key(text)).toBe(key(lower));
      }),
    );
  });

  test.each<[string, SessionScope]>([
    ["agent:a:main", { kind: "main" }],
    ["agent:a:direct:7", { kind: "peer", peer: "7" }],
    ["agent:a:direct:linked:ada", { kind: "linked", person: "ada" }],
    ["agent:a:telegram:direct:7", { kind: "direct", channel: "telegram", peer: "7" }],
    [
      "agent:a:telegram:work:direct:7",
      { kind: "direct", channel: "telegram", account: "work", peer: "7" },
    ],
    [
      "agent:a:slack:group:c1:thread:1760000000.000100",
      { kind: "group", channel: "slack", conversation: "c1", thread: "1760000000.000100" },
    ],
    ["agent:a:web:direct:tab-1", { kind: "direct", channel: "web", peer: "tab-1" }],
    ["agent:a:%6dain:group:1", { kind: "group", channel: "main", conversation: "1" }],
    ["agent:a:api:direct:k", { kind: "api", user: "k" }],
    ["agent:a:api:once:r-1", { kind: "api-once", request: "r-1" }],
    ["agent:a:cron:j:run:r", { kind: "cron", job: "j", run: "r" }],
    ["agent:a:subagent:1:subagent:2", { kind: "subagent", path: ["1", "2"] }],
    ["agent:a:heartbeat", { kind: "heartbeat" }],
    ["agent:a:hook:h-1", { kind: "hook", id: "h-1" }],
  ])("reads %s", (key, expected) => {
    expect(buildSessionKey({ agentId: "a", scope: expected })).toBe(key);
    expect(parseSessionKey(key)).toEqual({ agentId: "a", scope: expected });
  });
});

describe("what is not a key", () => {
  test.each([
    "",
    "agent",
    "agent:a",
    "agent:a:",
    "agent:-a:main",
    "agent:a:main:main",
    "agent:a:direct",
    "agent:a:direct:bob:7",
    "agent:a:telegram",
    "agent:a:telegram:direct",
    "agent:a:telegram:room:7",
    "agent:a:telegram:work:group:7",
    "agent:a:telegram:direct:7:topic:8",
    "agent:a:api:twice:r",
    "agent:a:cron:j:ran:r",
    "agent:a:subagent",
    "agent:a:subagent:1:subagent",
    "agent:a:subagent:1:2:3",
    `agent:a${":subagent:1".repeat(6)}`,
    "agent:a:direct:%zz",
    "agent:a:direct:%ff",
    "agent:a:direct:%41",
    "agent:a:direct:%61",
    "agent:a:direct:^1",
    "agent:a:direct:x~abc",
    "agent:a:direct:ü",
    "agent:a:direct:a b",
    " agent:a:main",
  ])("%j is refused", (text) => {
    expect(parseSessionKey(text)).toBeNull();
  });

  test("never throws and never has a second spelling", () => {
    const words = fc.constantFrom(
      "agent",
      "a",
      "main",
      "direct",
      "group",
      "thread",
      "x",
      "%",
      "%6d",
      "^a",
      "~",
      "",
      "%ud800",
      "%udc00",
      "subagent",
      "cron",
      "run",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((list) => list.join(":")),
        ),
        (text) => {
          const parsed = parseSessionKey(text);
          if (parsed) expect(buildSessionKey(parsed, true)).toBe(text.toLowerCase());
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("throws for an agent id or a depth that no caller should pass", () => {
    expect(() => buildSessionKey({ agentId: "Main", scope: { kind: "main" } })).toThrow(RangeError);
    expect(() => buildSessionKey({ agentId: "a", scope: { kind: "subagent", path: [] } })).toThrow(
      RangeError,
    );
  });
});
