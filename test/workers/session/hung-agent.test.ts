import { expect, test } from "vitest";
import type { BusyEntry } from "#contract/agent-port.ts";
import type { AgentRpc } from "#contract/agent-rpc.ts";
import { accept } from "#core/session/accept.ts";
import { createAgentPort } from "#wiring/agent-port.ts";
import { Conversation, workUntilDone } from "./conversation.ts";

const day = 24 * 3_600_000;

test("an agent that hangs delays a message by two seconds, and is told of the next one", async () => {
  const talk = new Conversation();
  const told: BusyEntry[] = [];
  const hang = Promise.withResolvers<void>();
  let hangs = true;
  const stub = {
    async markBusy(entry: BusyEntry) {
      if (hangs) await hang.promise;
      else told.push(entry);
    },
  } as unknown as AgentRpc;
  const hung = createAgentPort(stub);
  await talk.withParts(
    ({ agent }) => ({
      agent: { ...agent, markBusy: (entry) => hung.markBusy(entry) },
      now: () => Date.now() + day,
    }),
    async (ports) => {
      const before = Date.now();
      const first = await accept(ports, talk.envelope("hello"));
      const took = Date.now() - before;
      expect(took).toBeGreaterThanOrEqual(1_900);
      expect(took).toBeLessThan(4_000);
      expect(await workUntilDone(ports, first.seq)).toMatchObject({ status: "done" });

      hangs = false;
      hang.resolve();
      await accept(ports, talk.envelope("hello again"));
      await accept(ports, talk.envelope("and again"));
      expect(told).toEqual([expect.objectContaining({ sessionKey: talk.key, mark: 2 })]);
    },
  );
});
