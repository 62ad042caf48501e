import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest } from "#contract/model.ts";
import { systemBlocks } from "#ext/anthropic/cache.ts";
import { toWire } from "#ext/anthropic/to-wire.ts";
import { requestOf, streamContext, user } from "#test/contract/provider-rig.ts";

const mark = { type: "ephemeral" };

function turns(count: number): ModelMessage[] {
  return Array.from({ length: count }, (_, n): ModelMessage[] => [
    user(`question ${n}`),
    { role: "assistant", content: [{ type: "text", text: `answer ${n}` }] },
  ])
    .flat()
    .slice(0, -1);
}

async function bodyOf(part: Partial<ModelRequest>) {
  return (await toWire(requestOf("claude-sonnet-5-5", part), streamContext())).body;
}

describe("cache marks", () => {
  it("are set after the last tool, the boundary, and the last two turns", async () => {
    const tools = ["a", "b"].map((name) => ({ name, description: name, parameters: {} }));
    const system = [
      { text: "Identity.", cacheBoundary: false },
      { text: "Rules.", cacheBoundary: true },
      { text: "Today.", cacheBoundary: false },
    ];
    const body = await bodyOf({ tools, system, messages: turns(3) });
    expect(body.tools).toMatchObject([{ name: "a" }, { name: "b", cache_control: mark }]);
    expect(body.tools?.[0]).not.toHaveProperty("cache_control");
    expect(body.system).toEqual([
      { type: "text", text: "Identity.\n\nRules.\n\n", cache_control: mark },
      { type: "text", text: "Today." },
    ]);
    const marked = body.messages.map(({ content }) =>
      JSON.stringify(content).includes("ephemeral"),
    );
    expect(marked).toEqual([false, false, true, false, true]);
  });

  it("stay at four when there are many boundaries", async () => {
    const system = [1, 2, 3, 4].map((n) => ({ text: `Part ${n}.`, cacheBoundary: true }));
    expect(systemBlocks(system, true).map((block) => "cache_control" in block)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const body = await bodyOf({ system, messages: turns(3) });
    expect(JSON.stringify(body).split("ephemeral")).toHaveLength(5);
  });

  it("keep the prefix byte for byte the same when a turn is added", async () => {
    const prefix = (body: Awaited<ReturnType<typeof bodyOf>>, count: number) =>
      JSON.stringify([body.system, body.messages.slice(0, count)]).replaceAll(
        ',"cache_control":{"type":"ephemeral"}',
        "",
      );
    const before = await bodyOf({ messages: turns(2) });
    const after = await bodyOf({ messages: turns(3) });
    expect(prefix(after, 3)).toBe(prefix(before, 3));
  });
});
