import { afterEach, expect, test, vi } from "vitest";
import type { AgentPort } from "#contract/agent-port.ts";
import type { AgentRpc } from "#contract/agent-rpc.ts";
import { configSchema, type MemoryConfig } from "#contract/config.ts";
import { accept } from "#core/session/accept.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { createAgentPort } from "#wiring/agent-port.ts";
import { Conversation, workUntilDone } from "./conversation.ts";
import { HeldModel } from "./held-model.ts";

const day = 24 * 3_600_000;
const QUESTION = "do you remember where I live?";
const never = () => new Promise<never>(() => {});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A message to an agent some of whose parts are others; how its turn ended, and after how long. */
async function answered(
  agentParts: (real: AgentPort) => Partial<AgentPort>,
  text = QUESTION,
  memory: Partial<MemoryConfig> = {},
) {
  const talk = new Conversation();
  const model = new HeldModel(() => ({ text: "ok" }));
  const config = configSchema.parse({ models: { default: "anthropic/claude-opus-5" }, memory });
  return talk.withParts(
    ({ agent, models }) =>
      ({
        config,
        models: {
          ...models,
          resolve: (name) => models.resolve(name ?? "anthropic/claude-opus-5"),
        },
        now: () => Date.now() + day,
        agent: { ...agent, ...agentParts(agent) },
      }) satisfies Partial<SessionPorts>,
    async (ports) => {
      const { seq } = await accept(ports, talk.envelope(text));
      const before = Date.now();
      const { status } = await workUntilDone(ports, seq);
      return { status, tookMs: Date.now() - before, calls: model.calls };
    },
  );
}

/** Every call of this one hangs, as those of an agent whose storage hangs do. */
const hung = createAgentPort(
  new Proxy({}, { get: () => never }) as Pick<AgentRpc, "searchMemory"> as AgentRpc,
);

test("a search that hangs is waited for five seconds, and the message is answered without it", async () => {
  const { status, tookMs, calls } = await answered(() => ({ memory: hung.memory }));
  expect(status).toBe("done");
  expect(tookMs).toBeGreaterThanOrEqual(4_500);
  expect(calls).toHaveLength(1);
});

test("a search that fails costs nothing but itself", async () => {
  const fails = async () => {
    throw new Error("no such table");
  };
  const { status, calls } = await answered(({ memory }) => ({
    memory: { ...memory, search: fails },
  }));
  expect(status).toBe("done");
  expect(calls.map(({ system }) => system.includes("Found in your notes"))).toEqual([false]);
});

test("a message that asks for nothing from before asks nothing of the memory", async () => {
  const search = vi.fn(never);
  const read = vi.fn(never);
  const { status, calls } = await answered(
    ({ memory }) => ({ memory: { ...memory, search, read } }),
    "good morning",
  );
  expect(status).toBe("done");
  expect([calls.length, search.mock.calls.length, read.mock.calls.length]).toEqual([1, 0, 0]);
});

test("where recall is off the memory is not asked for anything", async () => {
  const search = vi.fn(never);
  const { status } = await answered(({ memory }) => ({ memory: { ...memory, search } }), QUESTION, {
    recall: "off",
  });
  expect([status, search.mock.calls.length]).toEqual(["done", 0]);
});
