import { expect, test } from "vitest";
import type { AgentPort } from "#contract/agent-port.ts";
import type { TranscriptBatch } from "#contract/memory.ts";
import { handOverTranscript } from "#core/session/hand-over-transcript.ts";
import { setSetting } from "#core/state/settings.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";
import { WholeMemory } from "#test/doubles/whole-memory.ts";

test("where two owners write in one conversation, what is handed over is with whom it was said", async () => {
  const memory = new WholeMemory();
  const batches: TranscriptBatch[] = [];
  const { agent } = memory;
  const ingest = async (batch: TranscriptBatch) => void batches.push(batch);
  const world = new SessionWorld({
    key: "agent:main:main",
    now: () => memory.time,
    agent: { ...agent, memory: { ...(agent.memory as AgentPort["memory"]), ingest } },
    tools: [],
    config: { session: { identityLinks: { ada: ["web:1"], bob: ["web:2"] } } },
  });
  const by = (id: string) => ({ sender: { id, name: id, isOwner: true } });
  await world.receive("I collect stamps", by("1"));
  await world.receive("I collect coins", by("2"));
  await world.receive("I sing", by("1"));
  batches.length = 0;
  setSetting(world.store.settings, "handedSeq", 0);
  setSetting(world.store.settings, "handOverDue", true);
  await handOverTranscript(world.ports);
  const told = batches.map(({ identity, lines }) => [identity, lines.map(({ text }) => text)]);
  expect(told).toEqual([
    ["person:ada", ["I collect stamps", "I sing"]],
    ["person:bob", ["I collect coins"]],
  ]);
});
