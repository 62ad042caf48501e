import { expect, test } from "vitest";
import { workersAi } from "#ext/workers-ai/index.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import { providerSuite } from "#test/contract/provider-suite.ts";
import { AiBindingDouble } from "#test/doubles/ai-binding.ts";
import { OpenAiServer } from "#test/doubles/openai-server.ts";

/** The conformance suite over the binding, with a server that speaks its Chat Completions shape. */
providerSuite({
  name: "workers-ai",
  start: async () => {
    const server = new OpenAiServer();
    await server.start();
    const ai = new AiBindingDouble(`${server.baseUrl}/chat/completions`);
    return {
      provider: workersAi.create({}, { ...testPorts(), ai }),
      model: "@cf/moonshotai/kimi-k2.6",
      secrets: [],
      play: (...steps) => server.play(...steps),
      calls: () => server.calls,
      refusals: () => server.refusals,
      stop: () => server.stop(),
    };
  },
});

test("a call without the binding fails once, with the reason", async () => {
  const events = [];
  const request = { model: "m", system: [], messages: [], tools: [], maxOutputTokens: 1 } as const;
  const stream = workersAi
    .create({}, testPorts())
    .stream(
      { ...request, thinking: "off", cacheKey: "k" },
      { signal: AbortSignal.timeout(5_000), readMedia: () => Promise.resolve(null) },
    );
  for await (const event of stream) events.push(event);
  expect(events).toEqual([
    {
      type: "error",
      fault: {
        reason: "not_configured",
        message: expect.stringContaining("Workers AI only works when deployed"),
      },
    },
  ]);
});
