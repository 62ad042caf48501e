import { anthropic } from "#ext/anthropic/index.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import { providerSuite } from "#test/contract/provider-suite.ts";
import { AnthropicServer } from "#test/doubles/anthropic-server.ts";

/** The conformance suite over Anthropic's protocol. */
providerSuite({
  name: "anthropic",
  start: async () => {
    const apiKey = `sk-ant-${crypto.randomUUID()}`;
    const server = new AnthropicServer({ keys: [apiKey] });
    await server.start();
    const settings = anthropic.settings.parse({ apiKey, baseUrl: server.baseUrl });
    return {
      provider: anthropic.create(settings, testPorts()),
      model: "claude-sonnet-5-5",
      secrets: [apiKey],
      play: (...steps) => server.play(...steps),
      calls: () => server.calls,
      refusals: () => server.refusals,
      stop: () => server.stop(),
    };
  },
});
