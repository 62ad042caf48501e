import { expect, test } from "vitest";
import type { Origins } from "#contract/origins.ts";
import { learnMove, moveRoutes } from "#core/delivery/moved.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { newTurn } from "#test/contract/session-store-suite.ts";
import { MemorySessionStore } from "#test/doubles/session-store.ts";

const route = { channel: "c", account: "default", conversation: "-1", kind: "group" } as const;

function world(decide: Origins["decide"]) {
  const store = new MemorySessionStore(() => 1);
  const moves: string[] = [];
  const inbox = {
    moveConversation: (channel: string, from: string, to: string) =>
      void moves.push(`${channel}: ${from} to ${to}`),
  };
  const ports = {
    key: "k",
    // The session's other tables stay what they are.
    store: Object.assign(store, { inbox }),
    origins: { find: () => Promise.resolve(null), decide },
    log: { info() {}, warn() {}, error() {} },
  } as unknown as SessionPorts;
  setSetting(ports.store.settings, "lastRoute", route);
  const turn = newTurn("t", { status: "running" });
  ports.store.turns.insert({ ...turn, detail: { ...turn.detail, route } });
  const seen = () => [
    getSetting(ports.store.settings, "lastRoute")?.conversation,
    ports.store.turns.get("t")?.detail.route.conversation,
    ...moves,
  ];
  return { ports, seen };
}

test("a move that cannot be written down changes nothing, and is learnt from the next send", async () => {
  let tries = 0;
  const { ports, seen } = world((_place, origin) =>
    tries++ === 0 ? Promise.reject(new Error("down")) : Promise.resolve(origin),
  );
  await learnMove(ports, route, "-2");
  expect(seen()).toEqual(["-1", "-1"]);
  await learnMove(ports, route, "-2");
  expect(seen()).toEqual(["-2", "-2", "c: -1 to -2"]);
});

test("a conversation of its own under the new id is left alone", async () => {
  const { ports, seen } = world(() => Promise.resolve("-2"));
  await learnMove(ports, route, "-2");
  expect(seen()).toEqual(["-1", "-1"]);
});

test("each message after a move finds it done", () => {
  const { ports, seen } = world((_place, origin) => Promise.resolve(origin));
  moveRoutes(ports, route, "-2");
  moveRoutes(ports, route, "-2");
  expect(seen()).toEqual(["-2", "-2", "c: -1 to -2"]);
});

test("what was open when it moved once more follows, too", () => {
  const { ports, seen } = world((_place, origin) => Promise.resolve(origin));
  moveRoutes(ports, route, "-2");
  moveRoutes(ports, route, "-3");
  expect(seen()).toEqual(["-3", "-3", "c: -1 to -2", "c: -1 to -3", "c: -2 to -3"]);
});
