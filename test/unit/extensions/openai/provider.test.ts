import { openai } from "#ext/openai/index.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import { providerSuite } from "#test/contract/provider-suite.ts";
import { OpenAiServer } from "#test/doubles/openai-server.ts";

/** The conformance suite over both of OpenAI's APIs. */
for (const api of ["chat", "responses"] as const) {
  providerSuite({
    name: `openai (${api})`,
    start: async () => {
      const apiKey = `key-${crypto.randomUUID()}`;
      const server = new OpenAiServer({ keys: [apiKey] });
      await server.start();
      const settings = openai.settings.parse({ apiKey, baseUrl: server.baseUrl, api });
      return {
        provider: openai.create(settings, testPorts()),
        model: "gpt-6.1-terra",
        secrets: [apiKey],
        play: (...steps) => server.play(...steps),
        calls: () => server.calls,
        refusals: () => server.refusals,
        stop: () => server.stop(),
      };
    },
  });
}
