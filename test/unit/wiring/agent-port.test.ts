import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentPort } from "#contract/agent-port.ts";
import type { AgentRpc } from "#contract/agent-rpc.ts";
import { createAgentPort } from "#wiring/agent-port.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** An object that takes every call and answers none. */
const hung = new Proxy({} as AgentRpc, { get: () => () => new Promise(() => {}) });

const asker = { sessionKey: "k", identity: null, counts: false };

const calls: readonly [string, number, (port: AgentPort) => Promise<unknown>][] = [
  ["markBusy", 2, (port) => port.markBusy({ sessionKey: "k", mark: 1 })],
  ["beginStep", 5, (port) => port.beginStep({ sessionKey: "k", turnId: "t", lane: "main" })],
  ["bootstrap", 5, (port) => port.bootstrap()],
  ["endTurn", 5, (port) => port.endTurn({ sessionKey: "k", turnId: "t", usage: [] })],
  ["findSession", 5, (port) => port.findSession("k")],
  ["listSessions", 5, (port) => port.listSessions(9)],
  ["pinSession", 5, (port) => port.pinSession("k", true)],
  ["forgetSession", 5, (port) => port.forgetSession("k")],
  ["read", 5, ({ workspace }) => workspace.read("a.md")],
  ["list", 5, ({ workspace }) => workspace.list("")],
  [
    "grep",
    30,
    ({ workspace }) =>
      workspace.grep({ pattern: "a", folder: "", ignoreCase: false, maxMatches: 1 }),
  ],
  [
    "apply",
    30,
    ({ workspace }) =>
      workspace.apply({ operationId: "o", path: "a.md", change: { type: "append", text: "b" } }),
  ],
  ["memory search", 5, ({ memory }) => memory.search({ text: "a", asker })],
  ["memory read", 5, ({ memory }) => memory.read({ path: "a.md", asker })],
  ["memory status", 5, ({ memory }) => memory.status()],
  ["memory why", 30, ({ upkeep }) => upkeep.why("a", "owner")],
  ["forget offer", 30, ({ upkeep }) => upkeep.offer({ text: "a", identity: null, key: "k" })],
  ["forget", 30, ({ upkeep }) => upkeep.forget({ id: "a", sessionKey: "k" })],
  ["forget status", 5, ({ upkeep }) => upkeep.forgetting()],
  ["waiting lines", 30, ({ upkeep }) => upkeep.waiting()],
  ["adopt", 30, ({ upkeep }) => upkeep.adopt("a.md")],
  ["versions", 5, ({ upkeep }) => upkeep.versions("a.md")],
  ["version", 5, ({ upkeep }) => upkeep.version("a.md", "1-a")],
  ["restore", 30, ({ upkeep }) => upkeep.restore({ operationId: "o", path: "a.md", id: "1-a" })],
  ["rebuild", 30, ({ upkeep }) => upkeep.rebuild()],
  ["ingest", 30, ({ memory }) => memory.ingest({ sessionKey: "k", identity: "owner", lines: [] })],
];

test.each(calls)(
  "%s of an agent that hangs is given up after %i s",
  async (name, seconds, call) => {
    let outcome: unknown;
    const made = call(createAgentPort(hung)).catch((error: unknown) => (outcome = error));
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await made;
    expect(String(outcome)).toContain(`the agent (${name}) did not answer within ${seconds} s`);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test("an answer in time is handed on, and nothing is left behind", async () => {
  const entry = { sessionKey: "k", lastActiveAt: 1 };
  const stub = new Proxy({} as AgentRpc, { get: () => () => Promise.resolve(entry) });
  expect(await createAgentPort(stub).findSession("k")).toBe(entry);
  expect(vi.getTimerCount()).toBe(0);
});
