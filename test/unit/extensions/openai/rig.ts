import { openai } from "#ext/openai/index.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import type { ProviderRig } from "#test/contract/provider-rig.ts";
import { OpenAiServer } from "#test/doubles/openai-server.ts";

export interface OpenAiRig extends ProviderRig {
  readonly server: OpenAiServer;
}

/** The provider over its double, with a key made up for this run. */
export async function startOpenAi(api: "chat" | "responses"): Promise<OpenAiRig> {
  const apiKey = `key-${crypto.randomUUID()}`;
  const server = new OpenAiServer({ keys: [apiKey] });
  await server.start();
  const settings = openai.settings.parse({ apiKey, baseUrl: server.baseUrl, api });
  return {
    server,
    provider: openai.create(settings, testPorts()),
    model: "gpt-6.1-terra",
    secrets: [apiKey],
    play: (...steps) => server.play(...steps),
    calls: () => server.calls,
    refusals: () => server.refusals,
    stop: () => server.stop(),
  };
}
