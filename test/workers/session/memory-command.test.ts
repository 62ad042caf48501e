import { expect, test, vi } from "vitest";
import type { AcceptEnvelope } from "#contract/inbox.ts";
import { configSchema } from "#contract/config.ts";
import { accept } from "#core/session/accept.ts";
import { commandText } from "#core/session/command-run.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { MemoryDouble } from "#test/doubles/memory.ts";
import { Conversation } from "./conversation.ts";

const day = 24 * 3_600_000;

async function tell(ports: SessionPorts, envelope: AcceptEnvelope): Promise<string> {
  const { seq } = await accept(ports, envelope);
  await vi.waitFor(() => expect(ports.store.inbox.get(seq)?.status).toBe("done"), 10_000);
  return commandText(ports, seq);
}

/** One conversation whose agent has this memory. */
function withMemory(
  act: (
    say: (text: string) => Promise<string>,
    memory: MemoryDouble,
    ports: SessionPorts,
  ) => Promise<void>,
  change: Partial<SessionPorts> = {},
) {
  const talk = new Conversation();
  const memory = new MemoryDouble();
  return talk.withParts(
    ({ agent }) => ({ agent: { ...agent, memory }, now: () => Date.now() + day, ...change }),
    (ports) => act((text) => tell(ports, talk.envelope(text)), memory, ports),
  );
}

test("search shows what was found, where, and what of it is from outside", () =>
  withMemory(async (say, memory) => {
    memory.rows = [
      { path: "USER.md", from: 3, to: 3, text: "- tea", score: 0.9, trust: "owner", date: null },
      {
        path: "memory/a.md",
        from: 1,
        to: 2,
        text: "```\n# x",
        score: 0.4,
        trust: "untrusted",
        date: null,
      },
    ];
    memory.notices = ["The embedder does not answer."];
    const text = await say("/memory search what tea");
    expect(text).toContain("`USER.md:3` (0.90)\n```\n- tea\n```");
    expect(text).toContain("`memory/a.md:1-2` (0.40, from outside)\n````\n```\n# x\n````");
    expect(text).toContain("_The embedder does not answer._");
    expect(memory.queries[0]).toMatchObject({
      text: "what tea",
      asker: { identity: "owner", counts: true },
    });
  }));

test("show reads a source, MEMORY.md without a name", () =>
  withMemory(async (say, memory) => {
    memory.files.set("MEMORY.md", { text: "# Facts\n- tea", trust: "owner" });
    expect(await say("/memory show")).toBe("`MEMORY.md`\n```\n# Facts\n- tea\n```");
    expect(await say("/memory show memory/no.md")).toContain("no `memory/no.md`");
  }));

test("status tells what there is and whether it is on", () =>
  withMemory(async (say) => {
    const status = await say("/memory");
    for (const part of ["on.", "Sources: 2, passages: 9, 1 waiting", "local/glove"])
      expect(status).toContain(part);
    expect(await say("/memory off")).toContain("off");
    expect(await say("/memory status")).toContain("Memory in this conversation: off");
    expect(await say("/context")).not.toContain("MEMORY.md");
    expect(await say("/memory on")).toContain("on");
    expect(await say("/context")).toContain("MEMORY.md");
  }));

test("/reset switches it on again, /new leaves it off", () =>
  withMemory(async (say) => {
    await say("/memory off");
    await say("/new");
    expect(await say("/memory")).toContain("conversation: off");
    await say("/reset");
    expect(await say("/memory")).toContain("conversation: on");
  }));

test("a memory that does not answer is told about", () =>
  withMemory(async (say, memory) => {
    memory.fails = new Error("down");
    expect(await say("/memory search tea")).toContain("does not answer right now");
    expect(await say("/memory show")).toContain("does not answer right now");
    expect(await say("/memory")).toContain("does not answer right now");
  }));

test("where it is switched off for all nothing is looked up", () =>
  withMemory(
    async (say, memory) => {
      expect(await say("/memory search tea")).toContain("memory.enabled");
      expect(memory.queries).toEqual([]);
    },
    { config: configSchema.parse({ memory: { enabled: false } }) },
  ));

test("in a group nothing of it is told, to nobody", () =>
  withMemory(async (_say, memory, ports) => {
    const talk = new Conversation();
    const { message } = talk.envelope("/memory search tea");
    const group = { ...message, route: { ...message.route, kind: "group" as const } };
    expect(await tell(ports, { message: group })).toContain("only in your direct chat");
    expect(memory.queries).toEqual([]);
  }));
