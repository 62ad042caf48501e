import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelMessage } from "#contract/model.ts";
import { openai } from "#ext/openai/index.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import { answerOf, faultOf, run, user } from "#test/contract/provider-rig.ts";
import { OpenAiServer } from "#test/doubles/openai-server.ts";
import { type OpenAiRig, startOpenAi } from "./rig.ts";

/** What only the Responses API does. */
describe("responses stream", () => {
  let rig: OpenAiRig;
  const tools = [{ name: "add", description: "Adds.", parameters: { type: "object" } }];
  beforeEach(async () => {
    rig = await startOpenAi("responses");
  });
  afterEach(() => rig.stop());

  async function toolTurn(): Promise<ModelMessage[]> {
    rig.play({ thinking: "hm", toolCalls: [{ name: "add" }] }, { text: "done" });
    const outcome = await run(rig, { tools, thinking: "low" });
    expect(outcome.events[0]).toEqual({ type: "thinking-delta", text: "hm" });
    const { message, calls } = answerOf(outcome);
    const results = calls.map(({ id, name }) => ({ callId: id, name, text: "3", isError: false }));
    return [user("ping"), message, { role: "tool", results }];
  }

  it("sends reasoning back within the turn, and only there", async () => {
    const messages = await toolTurn();
    expect(messages[1]).toMatchObject({ content: [{ type: "thinking", text: "hm" }, {}] });
    answerOf(await run(rig, { messages, tools }));
    expect(JSON.stringify(rig.calls()[1]?.body["input"])).toContain('"encrypted_content":"sealed.');
    answerOf(await run(rig, { messages: [...messages, user("next")], tools }));
    expect(JSON.stringify(rig.calls()[2]?.body["input"])).not.toContain("reasoning");
    expect(rig.refusals()).toEqual([]);
  });

  it("does not send reasoning to another model", async () => {
    const messages = await toolTurn();
    answerOf(await run(rig, { messages, tools, model: "gpt-6-luna" }));
    expect(JSON.stringify(rig.calls()[1]?.body["input"])).not.toContain("reasoning");
  });

  it("delivers a refusal as text", async () => {
    rig.play({ refusal: "I would rather not." });
    expect(answerOf(await run(rig))).toMatchObject({
      text: "I would rather not.",
      stopReason: "refusal",
    });
  });

  it("counts cached tokens apart", async () => {
    const usage = { input: 10, output: 4, cacheRead: 30, cacheWrite: 2 };
    rig.play({ text: "hi", usage });
    expect(answerOf(await run(rig)).usage).toEqual(usage);
  });

  it("knows of no tokens where none were reported", async () => {
    rig.play({ text: "hi", usage: null });
    expect(answerOf(await run(rig)).usage).toBeNull();
  });

  it("reads an answer that was not streamed", async () => {
    const message = { type: "message", content: [{ type: "output_text", text: "hello" }] };
    rig.play({ json: { status: "completed", output: [message], usage: null } });
    expect(answerOf(await run(rig))).toMatchObject({ text: "hello", stopReason: "end" });
  });

  it("takes the items of the last event when a server streams none", async () => {
    const call = { type: "function_call", call_id: "c1", name: "add", arguments: "" };
    const response = { status: "completed", output: [{ type: "web_search_call" }, call] };
    const event = { type: "response.completed", response };
    rig.play({ rawSse: `data: ${JSON.stringify(event)}\n\n`, end: "hold" });
    expect(answerOf(await run(rig)).calls).toMatchObject([{ id: "c1", arguments: "{}" }]);
  });

  it("knows a stream without its last event for a cut one", async () => {
    const item = { type: "message", content: [{ type: "output_text", text: "half" }] };
    const events = [
      { type: "response.output_text.delta", delta: "half" },
      { type: "response.output_item.done", output_index: 0, item },
    ];
    rig.play({ rawSse: events.map((event) => `data: ${JSON.stringify(event)}\n\n`) });
    expect(faultOf(await run(rig)).reason).toBe("timeout");
  });

  it("reads an error event", async () => {
    const event = { type: "error", code: "rate_limit_exceeded", message: "wait" };
    rig.play({ rawSse: `event: error\ndata: ${JSON.stringify(event)}\n\n` });
    expect(faultOf(await run(rig)).reason).toBe("rate_limit");
  });
});

describe("without a key", () => {
  it("calls a compatible server with nothing but its base URL", async () => {
    const server = new OpenAiServer();
    await server.start();
    const settings = openai.settings.parse({ baseUrl: server.url });
    const provider = openai.create(settings, testPorts());
    server.play({ text: "pong" });
    const rig = {
      provider,
      model: "local-model",
      secrets: [],
      play: server.play.bind(server),
      calls: () => server.calls,
      refusals: () => server.refusals,
      stop: () => server.stop(),
    };
    expect(answerOf(await run(rig)).text).toBe("pong");
    expect(server.calls[0]?.path).toBe("/v1/chat/completions");
    expect(server.calls[0]?.headers).not.toHaveProperty("authorization");
    expect(provider.models).toEqual([]);
    await server.stop();
  });
});
