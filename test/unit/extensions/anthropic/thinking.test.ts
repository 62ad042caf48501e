import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelMessage, ThinkingLevel } from "#contract/model.ts";
import { claudeModel } from "#ext/anthropic/models.ts";
import { planThinking } from "#ext/anthropic/thinking.ts";
import { answerOf, requestOf, run, user } from "#test/contract/provider-rig.ts";
import { type AnthropicRig, startAnthropic } from "./rig.ts";

function plan(model: string, thinking: ThinkingLevel) {
  return planThinking(requestOf(model, { thinking }), claudeModel(model));
}

const binding = { prefix_mismatch_behavior: "drop_block" };
const adaptive = { type: "adaptive", display: "summarized" };

describe("planThinking", () => {
  it.each([
    ["claude-sonnet-5-5", "off", { type: "between_tools" }, undefined],
    ["claude-haiku-5-5", "off", { type: "disabled" }, undefined],
    ["claude-opus-5", "off", { type: "disabled" }, undefined],
    ["claude-sonnet-4-6", "off", undefined, undefined],
    ["claude-haiku-4-5", "off", undefined, undefined],
    ["claude-next-9", "off", undefined, undefined],
    // A model that always thinks does so as little as it can.
    ["claude-opus-5-5", "off", { ...adaptive, block_binding: binding }, "low"],
    ["claude-sonnet-5-5", "minimal", { type: "between_tools" }, undefined],
    ["claude-sonnet-5-5", "xhigh", { ...adaptive, block_binding: binding }, "xhigh"],
    ["claude-opus-5", "max", adaptive, "max"],
    ["claude-sonnet-4-6", "xhigh", adaptive, "high"],
    ["claude-next-9", "high", adaptive, "high"],
    ["claude-haiku-4-5-20251001", "medium", { type: "enabled", budget_tokens: 8192 }, undefined],
    ["some-vendor/model", "low", { type: "enabled", budget_tokens: 4096 }, undefined],
  ] as const)("%s at %s", (model, level, config, effort) => {
    const { config: planned, effort: plannedEffort } = plan(model, level);
    expect([planned, plannedEffort]).toEqual([config, effort]);
  });

  it("sets aside tokens for thinking on top of the answer's", () => {
    expect(plan("claude-sonnet-5-5", "off").maxTokens).toBe(1000);
    expect(plan("claude-sonnet-5-5", "high").maxTokens).toBe(1000 + 16_384);
    const long = requestOf("claude-haiku-4-5", { thinking: "high", maxOutputTokens: 60_000 });
    const { maxTokens, config } = planThinking(long, claudeModel(long.model));
    expect(maxTokens).toBe(64_000);
    expect(config).toEqual({ type: "enabled", budget_tokens: 16_384 });
  });

  it("gives a budget up when the call being answered was made without thinking", () => {
    const messages: ModelMessage[] = [
      user("go"),
      { role: "assistant", content: [{ type: "tool-call", id: "c", name: "t", arguments: "{}" }] },
      { role: "tool", results: [{ callId: "c", name: "t", text: "ok", isError: false }] },
    ];
    const request = requestOf("claude-haiku-4-5", { thinking: "high", messages });
    expect(planThinking(request, claudeModel(request.model)).config).toBeUndefined();
  });
});

describe("thinking over the wire", () => {
  let rig: AnthropicRig;
  const tools = [{ name: "add", description: "Adds.", parameters: { type: "object" } }];

  beforeEach(async () => {
    rig = await startAnthropic();
  });
  afterEach(() => rig.stop());

  /** A call that thinks and asks for a tool, and the history that answers it. */
  async function toolTurn(): Promise<ModelMessage[]> {
    rig.play({ thinking: "hm", toolCalls: [{ name: "add" }] }, { text: "done" });
    const first = answerOf(await run(rig, { thinking: "high", tools }));
    const results = first.calls.map(({ id, name }) => ({
      callId: id,
      name,
      text: "3",
      isError: false,
    }));
    return [user("ping"), first.message, { role: "tool", results }];
  }

  it("shows thinking, keeps its signature, and sends both back unchanged", async () => {
    const messages = await toolTurn();
    expect(messages[1]).toMatchObject({
      content: [
        { type: "thinking", text: "hm", signature: expect.stringMatching(/^sig_/) },
        { type: "tool-call" },
      ],
    });
    const outcome = await run(rig, { thinking: "high", tools, messages });
    expect(answerOf(outcome).text).toBe("done");
    expect(JSON.stringify(rig.server.calls[1]?.body["messages"])).toContain('"thinking":"hm"');
  });

  it("survives a prompt that has changed since the thinking was made", async () => {
    const messages = await toolTurn();
    const system = [{ text: "Another day.", cacheBoundary: false }];
    answerOf(await run(rig, { thinking: "high", tools, messages, system }));
    // Turned off, the API cannot be asked to drop it, so it is not sent.
    answerOf(await run(rig, { thinking: "off", tools, messages, system }));
    expect(JSON.stringify(rig.server.calls[2]?.body["messages"])).not.toContain("sig_");
    expect(rig.refusals()).toEqual([]);
  });

  it("returns encrypted thinking as it came", async () => {
    rig.play({
      json: {
        type: "message",
        content: [
          { type: "redacted_thinking", data: "opaque-1" },
          { type: "text", text: "hi" },
        ],
        stop_reason: "end_turn",
        usage: { input_tokens: 3, output_tokens: 2 },
      },
    });
    const { message } = answerOf(await run(rig, { thinking: "low" }));
    expect(message.content[0]).toEqual({
      type: "thinking",
      text: "",
      redacted: "opaque-1",
      provider: "anthropic",
    });
    const messages = [user("ping"), message, user("again")];
    answerOf(await run(rig, { thinking: "low", messages }));
    expect(JSON.stringify(rig.calls()[1]?.body)).toContain(
      '{"type":"redacted_thinking","data":"opaque-1"}',
    );
    expect(rig.refusals()).toEqual([]);
  });

  it.each(["claude-opus-5-5", "claude-haiku-5-5", "claude-fable-5-2", "claude-haiku-4-5"])(
    "%s takes every level",
    async (model) => {
      for (const level of ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const) {
        answerOf(await run(rig, { model, thinking: level }));
      }
      expect(rig.refusals()).toEqual([]);
    },
  );
});
