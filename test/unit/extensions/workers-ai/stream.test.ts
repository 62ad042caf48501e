import { describe, expect, test } from "vitest";
import type { ModelEvent } from "#contract/model.ts";
import { workersAi } from "#ext/workers-ai/index.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import { callsOf, done, model, run, sse } from "./binding-rig.ts";

describe("its own shape", () => {
  test("streams text and reads the usage of the last event", async () => {
    const { events, finish } = await run(() =>
      sse(
        { response: "Hello", p: "abdefghijklm" },
        { response: " world", p: "abc" },
        { response: 4 },
        { tool_calls: [], p: "abdefgh" },
        { response: "", usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } },
        done,
      ),
    );
    expect(events.slice(0, 3)).toEqual([
      { type: "text-delta", text: "Hello" },
      { type: "text-delta", text: " world" },
      { type: "text-delta", text: "4" },
    ]);
    expect(finish).toMatchObject({
      stopReason: "end",
      message: { content: [{ type: "text", text: "Hello world4" }] },
      usage: { input: 12, output: 3, cacheRead: 0, cacheWrite: 0 },
    });
  });

  test("knows of no tokens where none were reported", async () => {
    const { finish } = await run(() => sse({ response: "Hello" }, done));
    expect(finish?.usage).toBeNull();
  });

  test("reads finished calls, with arguments as an object", async () => {
    const outcome = await run(() =>
      sse(
        {
          response: "",
          tool_calls: [
            { name: "add", arguments: { a: 1 } },
            { name: "add", arguments: { a: 2 } },
          ],
        },
        done,
      ),
    );
    expect(callsOf(outcome)).toEqual([
      ["add", '{"a":1}'],
      ["add", '{"a":2}'],
    ]);
    expect(outcome.finish?.stopReason).toBe("tool-calls");
  });

  test("puts calls in pieces together and skips the empty last one", async () => {
    const outcome = await run(() =>
      sse(
        { tool_calls: [{ id: "c1", type: "function", index: 0, function: { name: "add" } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
        { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
        {
          tool_calls: [{ id: null, type: null, index: 0, function: { name: null, arguments: "" } }],
        },
        { finish_reason: "tool_calls" },
        done,
      ),
    );
    expect(callsOf(outcome)).toEqual([["add", '{"a":1}']]);
  });

  test("takes an answer that is no stream", async () => {
    const answer = {
      response: "Hello",
      tool_calls: [],
      usage: { prompt_tokens: 5, completion_tokens: 1 },
    };
    for (const give of [
      () => answer,
      () => Response.json(answer),
      () => new Response(JSON.stringify(answer)),
    ]) {
      const { finish } = await run(give);
      expect(finish?.message.content).toEqual([{ type: "text", text: "Hello" }]);
      expect(finish?.usage?.input).toBe(5);
    }
  });
});

describe("the Chat Completions shape", () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });

  test("streams reasoning and text, and counts cached tokens apart", async () => {
    const { events, finish } = await run(() =>
      sse(
        { ...chunk({ role: "assistant", content: "" }), usage: { prompt_tokens: 13 } },
        chunk({ reasoning_content: "Okay" }),
        chunk({ reasoning: ", so" }),
        chunk({ content: "A cow" }),
        chunk({ content: "" }, "stop"),
        {
          choices: [],
          usage: {
            prompt_tokens: 13,
            completion_tokens: 9,
            prompt_tokens_details: { cached_tokens: 10 },
          },
        },
        "[DONE]",
      ),
    );
    expect(events.filter((event) => event.type === "thinking-delta")).toHaveLength(2);
    expect(finish?.message.content).toEqual([
      { type: "thinking", text: "Okay, so", provider: "workers-ai" },
      { type: "text", text: "A cow" },
    ]);
    expect(finish?.usage).toEqual({ input: 3, output: 9, cacheRead: 10, cacheWrite: 0 });
  });

  test("does not double words that come in both shapes", async () => {
    const { finish } = await run(() =>
      sse({ ...chunk({ content: "Hello" }), response: "Hello" }, chunk({}, "stop"), done),
    );
    expect(finish?.message.content).toEqual([{ type: "text", text: "Hello" }]);
  });

  test("says when the output limit was reached", async () => {
    const { finish } = await run(() => sse(chunk({ content: "Hel" }), chunk({}, "length")));
    expect(finish?.stopReason).toBe("length");
  });

  test("calls a stream cut that has neither a reason nor an end mark", async () => {
    const calls = [{ id: "c", index: 0, function: { name: "add", arguments: '{"a":1}' } }];
    const { finish, fault } = await run(() => sse(chunk({ tool_calls: calls })));
    expect(finish).toBeUndefined();
    expect(fault?.reason).toBe("timeout");
  });
});

describe("failures", () => {
  const own = (internalCode: number, description: string, status: number) =>
    Response.json({ internalCode, description, name: "AiError" }, { status });

  test.each([
    [3036, "you have used up your daily free allocation of 10,000 neurons", 429, "billing"],
    [3040, "No more data centers to forward the request to", 429, "overloaded"],
    [5007, "No such model @cf/x/y or task", 400, "model_not_found"],
    [3042, "The model name is invalid", 404, "model_not_found"],
    [3006, "Request is too large", 413, "context_overflow"],
    [3007, "Request timeout", 408, "timeout"],
    [5016, "User has not agreed to Llama3.2 model terms", 403, "auth_permanent"],
    [
      5021,
      "The estimated number of input and maximum output tokens (25000) exceeded this model context window limit (24000)",
      413,
      "context_overflow",
    ],
    [5004, "Invalid data type for base64 input", 400, "format"],
  ])(
    "reads its code %i (%s) from a Response and from an exception",
    async (code, text, status, reason) => {
      const answered = await run(() => own(code, text, status));
      expect(answered.fault).toMatchObject({ reason, status });
      const thrown = await run(() => {
        throw Object.assign(new Error(`${code}: ${text}`), { name: "InferenceUpstreamError" });
      });
      expect(thrown.fault?.reason).toBe(reason);
      expect(thrown.fault?.message).toContain(text.slice(0, 20));
    },
  );

  test("reads the API's envelope and plain text", async () => {
    const errors = [{ code: 3040, message: "Capacity temporarily exceeded, please try again." }];
    const envelope = await run(() => Response.json({ success: false, errors }, { status: 429 }));
    expect(envelope.fault?.reason).toBe("overloaded");
    const plain = await run(() => new Response("<html>bad gateway</html>", { status: 502 }));
    expect(plain.fault).toMatchObject({ reason: "overloaded", status: 502 });
  });

  test("reads an error that comes inside the stream", async () => {
    const { fault } = await run(() =>
      sse({ response: "po" }, { internalCode: 3040, description: "No more data centers" }),
    );
    expect(fault?.reason).toBe("overloaded");
  });

  test("says what is missing without the binding", async () => {
    const provider = workersAi.create({}, testPorts());
    const signal = new AbortController().signal;
    const request = {
      model,
      system: [],
      messages: [],
      tools: [],
      maxOutputTokens: 1,
      cacheKey: "",
    };
    const events: ModelEvent[] = [];
    for await (const event of provider.stream(
      { ...request, thinking: "off" },
      { signal, readMedia: async () => null },
    )) {
      events.push(event);
    }
    expect(events).toMatchObject([{ type: "error", fault: { reason: "not_configured" } }]);
  });
});

describe("requests", () => {
  test("asks for the raw answer, keeps the conversation on its machine, and sets max_tokens", async () => {
    const { runs } = await run(() => sse({ response: "x" }, done));
    expect(runs[0]?.options).toMatchObject({
      returnRawResponse: true,
      extraHeaders: { "x-session-affinity": "agent:main:_:1" },
    });
    expect(runs[0]?.options?.signal).toBeInstanceOf(AbortSignal);
    expect(runs[0]?.input).toMatchObject({
      stream: true,
      max_tokens: 1000,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hi" },
      ],
    });
  });

  test.each([
    ["@cf/zai-org/glm-4.7-flash", "off", { chat_template_kwargs: { enable_thinking: false } }],
    ["@cf/zai-org/glm-4.7-flash", "high", { chat_template_kwargs: { enable_thinking: true } }],
    ["@cf/openai/gpt-oss-120b", "off", { reasoning_effort: "low" }],
    ["@cf/openai/gpt-oss-120b", "xhigh", { reasoning_effort: "high" }],
    ["@cf/deepseek-ai/deepseek-v4-flash-0731", "off", { reasoning_effort: "none" }],
    ["@cf/zai-org/glm-5.3-flash", "medium", { reasoning_effort: "low" }],
  ] as const)("tells %s to think %s", async (id, thinking, expected) => {
    const { runs } = await run(() => sse({ response: "x" }, done), { model: id, thinking });
    expect(runs[0]?.input).toMatchObject(expected);
  });

  test("tells an unknown model nothing about thinking", async () => {
    const { runs } = await run(() => sse({ response: "x" }, done), { thinking: "high" });
    expect(Object.keys(runs[0]?.input ?? {})).not.toContain("reasoning_effort");
    expect(Object.keys(runs[0]?.input ?? {})).not.toContain("chat_template_kwargs");
  });
});
