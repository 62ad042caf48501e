import type { ModelInfo, ThinkingLevel } from "#contract/model.ts";

/**
 * Facts about OpenAI's models: window, output, reasoning efforts and price (developers.openai.com,
 * November 2026; prompts over 272,000 tokens cost twice as much, the price here is the common one). Any
 * other id works too, with safe assumptions and without a price: a compatible server names its models
 * as it likes.
 */
export interface OpenAiModel {
  readonly info: ModelInfo;
  /** What "off" is called; "omit" = say nothing, "never" = the model always reasons. */
  readonly off: "none" | "omit" | "never";
  /** Does it reason? Null = nobody knows. */
  readonly reasons: boolean | null;
}

type Prices = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];

const window = 1_050_000;
const toMax: readonly ThinkingLevel[] = ["low", "medium", "high", "xhigh", "max"];
const toXhigh: readonly ThinkingLevel[] = ["low", "medium", "high", "xhigh"];

const current: readonly OpenAiModel[] = [
  reasoning(facts("gpt-6.2-astra", [window, 128_000], [8, 40, 0.4, 10]), "never", toMax),
  reasoning(facts("gpt-6.2-sol", [window, 128_000], [2, 10, 0.1, 2.5]), "never", toMax),
  reasoning(facts("gpt-6.1-terra", [window, 128_000], [1, 5, 0.05, 1.25]), "none", toMax),
  reasoning(facts("gpt-6-luna", [window, 128_000], [0.1, 0.5, 0.01, 0.125]), "none", toMax),
];

const legacy: readonly OpenAiModel[] = [
  reasoning(facts("gpt-6-astra", [window, 128_000], [10, 50, 1, 12.5]), "never", toMax),
  reasoning(facts("gpt-6.1-sol", [window, 128_000], [2, 10, 0.1, 2.5]), "never", toMax),
  reasoning(facts("gpt-6-sol", [window, 128_000], [2, 10, 0.2, 2.5]), "none", toMax),
  reasoning(facts("gpt-5.6-sol", [window, 128_000]), "none", toMax),
  reasoning(facts("gpt-5.6-terra", [window, 128_000]), "none", toMax),
  reasoning(facts("gpt-5.6-luna", [400_000, 128_000]), "none", toMax),
  reasoning(facts("gpt-5.5", [window, 128_000], [5, 30, 0.5, 5]), "none", toXhigh),
  reasoning(facts("gpt-5.4", [window, 128_000], [2.5, 15, 0.25, 2.5]), "none", toXhigh),
  reasoning(facts("gpt-5.4-mini", [400_000, 128_000], [0.75, 4.5, 0.075, 0.75]), "none", toXhigh),
  plain(facts("gpt-4.1", [1_047_576, 32_768], [2, 8, 0.5, 2])),
  plain(facts("gpt-4o", [128_000, 16_384], [2.5, 10, 1.25, 2.5])),
  plain(facts("gpt-4o-mini", [128_000, 16_384], [0.15, 0.6, 0.075, 0.15])),
];

const known = new Map([...current, ...legacy].map((model) => [model.info.id, model]));

export const offeredModels: readonly ModelInfo[] = current.map((model) => model.info);
export const defaultModel = "gpt-6.2-sol";

/** Facts about any id; a dated snapshot (`-2026-03-17`) is its model. */
export function openAiModel(id: string): OpenAiModel {
  const model = known.get(id) ?? known.get(id.replace(/-\d{4}-\d{2}-\d{2}$/, ""));
  if (model !== undefined) return { ...model, info: { ...model.info, id } };
  const isReasoning = /^(gpt-([5-9]|\d\d)|o\d)/.test(id);
  const info: ModelInfo = {
    id,
    contextWindow: isReasoning ? 200_000 : 128_000,
    maxOutputTokens: isReasoning ? 32_000 : 16_384,
    thinkingLevels: ["off", "low", "medium", "high"],
    images: true,
  };
  return { info, off: "omit", reasons: isReasoning ? true : null };
}

type Facts = Omit<ModelInfo, "thinkingLevels">;

function reasoning(info: Facts, off: OpenAiModel["off"], efforts: readonly ThinkingLevel[]) {
  const thinkingLevels: readonly ThinkingLevel[] = off === "never" ? efforts : ["off", ...efforts];
  return { info: { ...info, thinkingLevels }, off, reasons: true };
}

function plain(info: Facts): OpenAiModel {
  return { info: { ...info, thinkingLevels: ["off"] }, off: "omit", reasons: false };
}

function facts(
  id: string,
  [contextWindow, maxOutputTokens]: readonly [number, number],
  prices?: Prices,
): Facts {
  const info = { id, contextWindow, maxOutputTokens, images: true };
  if (prices === undefined) return info;
  const [input, output, cacheRead, cacheWrite] = prices;
  return { ...info, price: { input, output, cacheRead, cacheWrite } };
}
