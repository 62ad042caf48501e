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
