import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { configSchema, type Binding } from "#contract/config.ts";
import { bindingFacts, pickAgent } from "#core/routing/binding.ts";
import { message } from "./messages.ts";

const bindings = (list: unknown[]): Binding[] => configSchema.parse({ bindings: list }).bindings;
const to = (agent: string, match: object) => ({ agent, match });

const threadMessage = message({
  sender: { id: "U0FAKE0001", name: "Ada" },
  membership: { guild: "g-1", team: "T0FAKE0001", roles: ["crew", "cook"] },
  route: {
    channel: "slack",
    account: "work",
    conversation: "C0FAKE0001",
    kind: "channel",
    thread: "1760000000.000100",
  },
});
const pick = (list: unknown[], from = threadMessage, caseSensitive = false) =>
  pickAgent(bindingFacts(from, caseSensitive), bindings(list), "main");

/** From the most specific to the least. */
const ladder = [
  to("exact", { parentPeer: "C0FAKE0001", peer: "1760000000.000100" }),
  to("parent", { channel: "slack", parentPeer: "C0FAKE0001" }),
  to("inherited", { peer: "C0FAKE0001" }),
  to("wildcard", { channel: "slack", peer: "*" }),
  to("role", { team: "T0FAKE0001", roles: ["captain", "cook"] }),
  to("team", { team: "T0FAKE0001" }),
  to("account", { channel: "slack", account: "work" }),
  to("channel", { channel: "slack" }),
  to("any", {}),
];

describe("pickAgent", () => {
  test("prefers the more specific binding whatever the order of the list", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ladder), (list) => {
        const best = ladder.find((binding) => list.includes(binding));
        expect(pick(list)).toBe(best?.agent ?? "main");
      }),
      { numRuns: 300 },
    );
  });

  test("takes the first among equals", () => {
    expect(pick([to("one", { channel: "slack" }), to("two", { channel: "slack" })])).toBe("one");
  });

  test("wants everything a binding names", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ladder),
        fc.constantFrom<object>(
          { channel: "telegram" },
          { account: "home" },
          { guild: "g-2" },
          { team: "T0FAKE0002" },
          { roles: ["captain"] },
          { parentPeer: "C0FAKE0002" },
          { peer: "C0FAKE0002" },
        ),
        (binding, wrong) => {
          expect(pick([to("no", { ...binding.match, ...wrong })])).toBe("main");
        },
      ),
    );
  });

  test("knows a person in a direct chat by id and by the chat's own id", () => {
    const direct = message({
      sender: { id: "U0FAKE0001", name: "Ada" },
      route: { channel: "slack", conversation: "D0FAKE0001" },
    });
    expect(pick([to("person", { peer: "U0FAKE0001" })], direct)).toBe("person");
    expect(pick([to("chat", { peer: "d0fake0001" })], direct)).toBe("chat");
    expect(pick([to("person", { peer: "U0FAKE0001" })])).toBe("main");
  });

  test("keeps ids apart by case where the channel does", () => {
    expect(pick([to("lower", { peer: "c0fake0001" })])).toBe("lower");
    expect(pick([to("lower", { peer: "c0fake0001" })], threadMessage, true)).toBe("main");
  });

  test("never takes the number of a thread for a peer of its own", () => {
    expect(pick([to("thread", { peer: "1760000000.000100" })])).toBe("main");
  });

  test("does not ask for roles that a binding leaves empty", () => {
    expect(pick([to("team", { team: "T0FAKE0001", roles: [] })])).toBe("team");
  });
});
