import type { ModelInfo, ThinkingLevel } from "#contract/model.ts";

/**
 * Facts about models on Workers AI that can call tools (developers.cloudflare.com/workers-ai/models and
 * the types of the binding, November 2026). The default runs on the free plan; those marked paid need the
 * Workers Paid plan. Any other id works with the assumptions that the smallest of them needs.
 */
export type Effort = "none" | "low" | "medium" | "high" | "xhigh" | "max";

/** How a model is told how much to think. */
export type ThinkingControl =
  | { readonly kind: "none" }
  /** On or off, by its chat template. */
  | { readonly kind: "switch" }
  | { readonly kind: "effort"; readonly canBeOff: boolean };

export interface HostedModel {
  readonly info: ModelInfo;
  readonly thinking: ThinkingControl;
}

interface Facts {
  readonly window: number;
  readonly output: number;
  readonly images?: boolean;
  readonly price: readonly [input: number, output: number, cacheRead?: number];
}

const onOff: readonly ThinkingLevel[] = ["off", "medium"];

const hosted: readonly HostedModel[] = [
  model(
    "@cf/zai-org/glm-4.7-flash",
    { window: 131_072, output: 32_768, price: [0.0605, 0.4] },
    onOff,
  ),
  model(
    "@cf/google/gemma-4-26b-a4b-it",
    { window: 256_000, output: 32_768, images: true, price: [0.1, 0.3] },
    onOff,
  ),
  model("@cf/openai/gpt-oss-120b", { window: 128_000, output: 32_768, price: [0.35, 0.75] }, [
    "low",
    "medium",
    "high",
  ]),
  model(
    "@cf/qwen/qwen3.8-27b",
    { window: 262_144, output: 65_536, images: true, price: [0.45, 3.2, 0.05] },
    onOff,
  ),
  // Paid plan only.
  model(
    "@cf/zai-org/glm-5.3-flash",
    { window: 1_310_720, output: 65_536, images: true, price: [0.15, 0.5, 0.03] },
    ["low", "high", "max"],
  ),
  model(
    "@cf/deepseek-ai/deepseek-v4-flash-0731",
    { window: 1_048_576, output: 65_536, price: [0.44, 1.32, 0.014] },
    ["off", "low", "high", "max"],
  ),
  model(
    "@cf/moonshotai/kimi-k2.6",
    { window: 262_144, output: 65_536, images: true, price: [0.95, 4, 0.16] },
    ["off", "high"],
  ),
];

export const offeredModels: readonly ModelInfo[] = hosted.map(({ info }) => info);
export const defaultModel = "@cf/zai-org/glm-4.7-flash";

const byId = new Map(hosted.map((one) => [one.info.id, one]));

export function hostedModel(id: string): HostedModel {
  return (
    byId.get(id) ?? {
      info: {
        id,
        contextWindow: 24_000,
        maxOutputTokens: 4096,
        thinkingLevels: ["off"],
        images: false,
      },
      thinking: { kind: "none" },
    }
  );
}

function model(id: string, facts: Facts, thinkingLevels: readonly ThinkingLevel[]): HostedModel {
  const [input, output, cacheRead = input] = facts.price;
  return {
    info: {
      id,
      contextWindow: facts.window,
      maxOutputTokens: facts.output,
      thinkingLevels,
      images: facts.images ?? false,
      price: { input, output, cacheRead, cacheWrite: input },
    },
    thinking:
      thinkingLevels === onOff
        ? { kind: "switch" }
        : { kind: "effort", canBeOff: thinkingLevels.includes("off") },
  };
}
