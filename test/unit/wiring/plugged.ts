import { z } from "zod";
import type { Channel } from "#contract/channel.ts";
import { defineChannel, defineProvider, type Extension } from "#contract/extension.ts";
import type { ModelInfo } from "#contract/model.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { Provider, ProviderExtension } from "#contract/provider.ts";
import { defineTool } from "#contract/tool.ts";
import { workersAi } from "#ext/workers-ai/index.ts";
import { loadConfig } from "#wiring/config.ts";
import { createRegistry, type RegistryInput } from "#wiring/registry.ts";

/** Small extensions that do nothing but exist, to test how they are plugged in. */
export const ports: ExtensionPorts = {
  fetch: () => Promise.reject(new Error("no network")),
  now: () => 0,
  newId: () => "id",
  log: { info() {}, warn() {}, error() {} },
  sleep: () => Promise.resolve(),
};

export function channelExtension(id: string, made: string[] = []): Extension {
  return defineChannel({
    kind: "channel",
    id,
    environment: { token: `${id.toUpperCase()}_TOKEN`, root: `${id.toUpperCase()}_ROOT` },
    settings: z.strictObject({
      token: z.string().min(4, "too short"),
      root: z.string().default("https://api.example.org"),
    }),
    create(account, settings) {
      if (settings.token.includes("throws")) throw new Error(`bad token ${settings.token}`);
      made.push(`${id}/${account}`);
      return { id, account, settings } as unknown as Channel;
    },
  });
}

export function providerExtension(id: string, models: string[], keyed = true): ProviderExtension {
  const info = (model: string): ModelInfo => ({
    id: model,
    contextWindow: 8000,
    maxOutputTokens: 1000,
    thinkingLevels: ["off"],
    images: false,
  });
  const provider: Provider = {
    id,
    models: models.map(info),
    defaultModel: models[0] ?? id,
    describe: info,
    stream: () => {
      throw new Error("not called");
    },
  };
  return defineProvider({
    kind: "provider",
    id,
    environment: keyed ? { key: `${id.toUpperCase()}_API_KEY` } : {},
    offers: models,
    settings: keyed ? z.strictObject({ key: z.string() }) : z.strictObject({}),
    create: () => provider,
  });
}

export const tool = (name: string) =>
  defineTool({
    name,
    description: name,
    parameters: z.object({}),
    level: "public",
    replay: "safe",
    execute: () => Promise.resolve({ text: name }),
  });

export const plugged: Extension[] = [
  channelExtension("telegram"),
  channelExtension("slack"),
  providerExtension("anthropic", ["claude-opus-4", "claude-opus-3", "claude-haiku-4"]),
  providerExtension("openai", ["gpt-5-mini", "gpt-5"]),
  {
    ...providerExtension("workers-ai", ["@cf/meta/llama-4", "@cf/openai/gpt-oss"], false),
    obstacle: (place) => workersAi.obstacle?.(place),
  },
  providerExtension("demo", ["demo"], false),
  { kind: "tools", id: "fs", tools: [tool("read"), tool("write")] },
];

/** A registry over these extensions; `document` becomes PAGURUS_CONFIG. */
export function registry(
  env: Record<string, string> = {},
  change: Partial<RegistryInput> & { readonly document?: object } = {},
) {
  const { document = {}, ...input } = change;
  const runtime = loadConfig({ ...env, PAGURUS_CONFIG: document });
  return createRegistry({
    extensions: plugged,
    customTools: (configs) => configs.map(({ name }) => tool(name)),
    runtime,
    env,
    ports,
    deployed: false,
    ...input,
  });
}
