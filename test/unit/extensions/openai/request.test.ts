import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest } from "#contract/model.ts";
import { chatRequest } from "#ext/openai/chat-request.ts";
import { responsesRequest } from "#ext/openai/responses-request.ts";
import { type Endpoint, endpointOf, settingsSchema } from "#ext/openai/settings.ts";
import { toolNames } from "#kit/model/wire-names.ts";
import { requestOf, user } from "#test/contract/provider-rig.ts";

const own = endpointOf({ apiKey: "k" });
const compatible = endpointOf({ baseUrl: "http://127.0.0.1:11434/v1" });

function wiring(endpoint: Endpoint) {
  return { endpoint, names: toolNames([]), media: new Map() };
}

function chat(model: string, part: Partial<ModelRequest>, endpoint: Endpoint) {
  return chatRequest(requestOf(model, part), wiring(endpoint));
}

describe("chatRequest", () => {
  // B80
  it("always asks for usage", () => {
    for (const endpoint of [own, compatible]) {
      expect(chat("any", {}, endpoint).stream_options).toEqual({ include_usage: true });
    }
  });

  it("sends a compatible server nothing that strict ones refuse", () => {
    expect(Object.keys(chat("local-model", {}, compatible)).toSorted()).toEqual([
      "max_tokens",
      "messages",
      "model",
      "stream",
      "stream_options",
    ]);
    expect(chat("local-model", { thinking: "high" }, compatible).reasoning_effort).toBe("high");
  });

  it("speaks OpenAI's own dialect to OpenAI and Azure", () => {
    const azure = endpointOf({ baseUrl: "https://me.openai.azure.com/openai/v1", apiKey: "k" });
    for (const endpoint of [own, azure]) {
      const request = chat("gpt-6-luna", { cacheKey: `k${"x".repeat(80)}-end` }, endpoint);
      expect(request).toMatchObject({ max_completion_tokens: 1000, reasoning_effort: "none" });
      expect(request.prompt_cache_key).toMatch(/^x{60}-end$/);
      expect(request).not.toHaveProperty("max_tokens");
    }
  });

  it.each([
    ["gpt-6.2-sol", "off", "low", 1000 + 4096],
    ["gpt-6-luna", "max", "max", 1000 + 65_536],
    ["gpt-5.5", "max", "xhigh", 1000 + 32_768],
    ["gpt-4o", "high", undefined, 1000],
    ["gpt-9-nova", "off", undefined, 1000 + 8192],
    ["gpt-9-nova", "max", "high", 1000 + 16_384],
    ["gpt-5.4-mini-2026-03-17", "off", "none", 1000],
  ] as const)("%s at %s is told %s", (model, thinking, effort, maxTokens) => {
    const request = chat(model, { thinking }, own);
    expect([request.reasoning_effort, request.max_completion_tokens]).toEqual([effort, maxTokens]);
  });

  // B33
  it("sends one tool message per call, in order, right behind the call", () => {
    const call = (id: string, raw: string) =>
      ({ type: "tool-call", id, name: "add", arguments: raw }) as const;
    const result = (callId: string, isError = false) => ({
      callId,
      name: "add",
      text: isError ? "no such file" : "",
      isError,
    });
    const messages: ModelMessage[] = [
      user("go"),
      { role: "assistant", content: [call("a", "{}"), call("b", '{"x'), call("c", "")] },
      { role: "tool", results: [result("c"), result("b", true)] },
      user("more"),
      user("still more"),
    ];
    expect(chat("m", { messages, system: [] }, compatible).messages).toEqual([
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "a", type: "function", function: { name: "add", arguments: "{}" } },
          {
            id: "b",
            type: "function",
            function: { name: "add", arguments: '{"unparsed":"{\\"x"}' },
          },
          { id: "c", type: "function", function: { name: "add", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "No result: the call was interrupted." },
      { role: "tool", tool_call_id: "b", content: "Error: no such file" },
      { role: "tool", tool_call_id: "c", content: "(no output)" },
      { role: "user", content: "more\n\nstill more" },
    ]);
  });
});

describe("responsesRequest", () => {
  it("stores nothing at OpenAI and asks for reasoning to keep", () => {
    const request = responsesRequest(requestOf("gpt-6.1-terra"), wiring(own));
    expect(request).toMatchObject({
      store: false,
      stream: true,
      instructions: "You are terse.",
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "none" },
      prompt_cache_key: "agent-main-direct-1",
      max_output_tokens: 1000,
    });
    expect(responsesRequest(requestOf("gpt-4o"), wiring(own))).not.toHaveProperty("include");
  });
});

describe("settings", () => {
  it("need a key or a base URL", () => {
    expect(settingsSchema.safeParse({}).success).toBe(false);
    expect(settingsSchema.safeParse({ apiKey: "k" }).success).toBe(true);
    expect(settingsSchema.safeParse({ baseUrl: "http://127.0.0.1:1234/v1" }).success).toBe(true);
    expect(settingsSchema.safeParse({ baseUrl: "localhost" }).success).toBe(false);
    expect(settingsSchema.safeParse({ apiKey: "k", api: "grpc" }).success).toBe(false);
  });

  it.each([
    [{}, "https://api.openai.com/v1", "responses", "openai"],
    [
      { baseUrl: "https://eu.api.openai.com/v1/" },
      "https://eu.api.openai.com/v1",
      "responses",
      "openai",
    ],
    [{ baseUrl: "http://127.0.0.1:1234" }, "http://127.0.0.1:1234/v1", "chat", "compatible"],
    [{ baseUrl: "https://x.test/api/v1" }, "https://x.test/api/v1", "chat", "compatible"],
    [
      { baseUrl: "https://x.test/v1", api: "responses" },
      "https://x.test/v1",
      "responses",
      "compatible",
    ],
    [{ api: "chat" }, "https://api.openai.com/v1", "chat", "openai"],
    [
      { baseUrl: "https://api.openai.com.evil.test/v1" },
      "https://api.openai.com.evil.test/v1",
      "chat",
      "compatible",
    ],
  ] as const)("%j is %s over %s (%s)", (settings, baseUrl, api, dialect) => {
    const parsed = settingsSchema.parse({ apiKey: "k", ...settings });
    expect(endpointOf(parsed)).toEqual({ baseUrl, api, dialect });
  });
});
