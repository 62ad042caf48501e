import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from "#contract/tool.ts";
import type { JournalRow } from "#contract/turn.ts";
import { readArguments, runCall, type CallScope } from "#core/agent/tool-call.ts";

function toolThat(execute: (input: { n: number }) => Promise<ToolOutcome>): Tool {
  return defineTool({
    name: "count",
    description: "counts",
    parameters: z.object({ n: z.number().int() }),
    level: "public",
    replay: "safe",
    execute,
  });
}

function rowWith(input: string): JournalRow {
  const base = { turnId: "t", step: 1, position: 1, kind: "tool", status: "started" } as const;
  return { ...base, version: 1, callId: "c", name: "count", input, output: null };
}

function scopeWith(overrides: Partial<CallScope> = {}): CallScope {
  return {
    contextFor: () => ({}) as ToolContext,
    signal: new AbortController().signal,
    timeoutMs: 1_000,
    timers: { after: () => () => {}, sleep: async () => {} },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    contextWindow: 100_000,
    ...overrides,
  };
}

describe("runCall", () => {
  it("runs a call with its validated arguments", async () => {
    const tool = toolThat(async ({ n }) => ({ text: `got ${n + 1}` }));
    expect(await runCall(tool, rowWith('{"n":41}'), scopeWith())).toEqual({
      text: "got 42",
      isError: false,
    });
  });

  // B40: a call with invalid JSON never runs, and says so to the model.
  it.each(['{"n":1}}', '{"n":', "nonsense", '{"n":"one"}', "[]", '{"n":1.5}'])(
    "does not run a call whose arguments are %s",
    async (input) => {
      let runs = 0;
      const tool = toolThat(async () => {
        runs++;
        return { text: "" };
      });
      const output = await runCall(tool, rowWith(input), scopeWith());
      expect(output.isError).toBe(true);
      expect(output.text).toContain("not");
      expect(runs).toBe(0);
    },
  );

  it("names the field that is wrong", () => {
    const read = readArguments(
      toolThat(async () => ({ text: "" })),
      '{"n":"one"}',
    );
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining("n:") });
  });

  it("takes no arguments at all as none", () => {
    const tool = { ...toolThat(async () => ({ text: "" })), parameters: z.object({}) };
    expect(readArguments(tool, "")).toEqual({ ok: true, value: {} });
  });

  it("answers for a tool that does not exist", async () => {
    const output = await runCall(undefined, rowWith("{}"), scopeWith());
    expect(output).toEqual({ text: 'There is no tool named "count" here.', isError: true });
  });

  it("turns a throw into a result that tells nothing of its cause", async () => {
    const secret = `secret-${Math.random()}`;
    const tool = toolThat(async () => {
      throw new Error(secret);
    });
    const output = await runCall(tool, rowWith('{"n":1}'), scopeWith());
    expect(output.isError).toBe(true);
    expect(output.text).not.toContain(secret);
  });

  it("gives up a call that takes too long", async () => {
    const after = (_ms: number, work: () => void) => {
      queueMicrotask(work);
      return () => {};
    };
    const tool = toolThat(() => new Promise(() => {}));
    const output = await runCall(
      tool,
      rowWith('{"n":1}'),
      scopeWith({ timers: { after, sleep: async () => {} } }),
    );
    expect(output).toEqual({ text: "count did not finish within 1 s.", isError: true });
  });

  it.each([
    ["keyed", /^count gave no result .*unknown.*may still.*do not repeat/],
    ["unsafe", /^count gave no result .*unknown/],
    ["safe", /^count failed for an internal reason\.$/],
  ] as const)("does not call a %s call without an answer more than it is", async (replay, told) => {
    const tool = toolThat(async () => {
      throw new Error("the agent (apply) did not answer within 30 s");
    });
    const output = await runCall({ ...tool, replay }, rowWith('{"n":1}'), scopeWith());
    expect(output).toMatchObject({ isError: true, text: expect.stringMatching(told) });
  });

  it("ends at once when the person stops the turn", async () => {
    const controller = new AbortController();
    const tool = toolThat(() => new Promise(() => {}));
    const running = runCall(tool, rowWith('{"n":1}'), scopeWith({ signal: controller.signal }));
    controller.abort();
    expect((await running).text).toBe("Stopped by the person.");
  });
});
