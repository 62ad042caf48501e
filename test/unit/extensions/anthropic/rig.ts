import { anthropic } from "#ext/anthropic/index.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import type { ProviderRig } from "#test/contract/provider-rig.ts";
import { AnthropicServer } from "#test/doubles/anthropic-server.ts";

export interface AnthropicRig extends ProviderRig {
  readonly server: AnthropicServer;
}

/** The provider over its double, with a key made up for this run. */
export async function startAnthropic(model = "claude-sonnet-5-5"): Promise<AnthropicRig> {
  const apiKey = `sk-ant-${crypto.randomUUID()}`;
  const server = new AnthropicServer({ keys: [apiKey] });
  await server.start();
  const settings = anthropic.settings.parse({ apiKey, baseUrl: server.baseUrl });
  return {
    server,
    provider: anthropic.create(settings, testPorts()),
    model,
    secrets: [apiKey],
    play: (...steps) => server.play(...steps),
    calls: () => server.calls,
    refusals: () => server.refusals,
    stop: () => server.stop(),
  };
}
