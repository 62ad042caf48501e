import type { ModelInfo, ThinkingLevel } from "#contract/model.ts";

/**
 * Facts about Claude models: window, output, thinking and price (platform.claude.com, November 2026).
 * Haiku 5.5 costs five times as much for prompts over 100,000 tokens; the price here is the common one.
 * An id that is not in the table works too, with safe assumptions and without a price.
 */
export type Effort = "low" | "medium" | "high" | "xhigh" | "max";

export type ThinkingSupport =
  | {
      readonly kind: "adaptive";
      /** How thinking is turned off; "never" = the model always thinks. */
      readonly off: "disabled" | "between_tools" | "omit" | "never";
      /** Earlier thinking is checked against what precedes it, and a mismatch is an error by default. */
      readonly bound: boolean;
      /** May earlier thinking be sent back at all? */
      readonly replay: boolean;
    }
  /** A fixed number of thinking tokens, as before Claude 4.6. */
  | { readonly kind: "budget" };

export interface ClaudeModel {
  readonly info: ModelInfo;
  readonly thinking: ThinkingSupport;
}

type Prices = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];
type Off = Extract<ThinkingSupport, { kind: "adaptive" }>["off"];

const million = 1_000_000;
const allEfforts: readonly Effort[] = ["low", "medium", "high", "xhigh", "max"];
const olderEfforts: readonly Effort[] = ["low", "medium", "high", "max"];
const budgetLevels: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high"];

const current: readonly ClaudeModel[] = [
  bound("claude-opus-5-5", "never", [4, 20, 0.2, 5]),
  bound("claude-sonnet-5-5", "between_tools", [2, 10, 0.1, 2.5]),
  bound("claude-haiku-5-5", "disabled", [0.1, 0.5, 0.01, 0.125]),
  bound("claude-fable-5-2", "never", [8, 40, 0.2, 10]),
];

const legacy: readonly ClaudeModel[] = [
  bound("claude-fable-5-1", "never", [10, 50, 0.25, 12.5]),
  free("claude-fable-5", "never", [10, 50, 1, 12.5]),
  free("claude-opus-5", "disabled", [5, 25, 0.5, 6.25]),
  free("claude-sonnet-5", "disabled", [2, 10, 0.2, 2.5]),
  free("claude-opus-4-8", "omit", [5, 25, 0.5, 6.25]),
  free("claude-opus-4-7", "omit", [5, 25, 0.5, 6.25]),
  older("claude-opus-4-6", 128_000, [5, 25, 0.5, 6.25]),
  older("claude-sonnet-4-6", 64_000, [3, 15, 0.3, 3.75]),
  budget("claude-opus-4-5", [5, 25, 0.5, 6.25]),
  budget("claude-sonnet-4-5", [3, 15, 0.3, 3.75]),
  budget("claude-haiku-4-5", [1, 5, 0.1, 1.25]),
];

const known = new Map([...current, ...legacy].map((model) => [model.info.id, model]));

export const offeredModels: readonly ModelInfo[] = current.map((model) => model.info);
export const defaultModel = "claude-sonnet-5-5";

/** Facts about any id; a dated snapshot (`-20251001`) is its model. */
export function claudeModel(id: string): ClaudeModel {
  const model = known.get(id) ?? known.get(id.replace(/-\d{8}$/, ""));
  if (model !== undefined) return { ...model, info: { ...model.info, id } };
  const info = { id, contextWindow: 200_000, maxOutputTokens: 32_000, images: true };
  // A newer Claude thinks adaptively and may check what we send back; other vendors' models that
  // speak this protocol know thinking budgets only.
  return id.startsWith("claude-")
    ? {
        info: { ...info, thinkingLevels: ["off", "low", "medium", "high"] },
        thinking: { kind: "adaptive", off: "omit", bound: false, replay: false },
      }
    : { info: { ...info, thinkingLevels: budgetLevels }, thinking: { kind: "budget" } };
}

function bound(id: string, off: Off, prices: Prices): ClaudeModel {
  return adaptive(facts(id, [million, 128_000], prices), off, allEfforts, true);
}

function free(id: string, off: Off, prices: Prices): ClaudeModel {
  return adaptive(facts(id, [million, 128_000], prices), off, allEfforts, false);
}

function older(id: string, maxOutputTokens: number, prices: Prices): ClaudeModel {
  return adaptive(facts(id, [million, maxOutputTokens], prices), "omit", olderEfforts, false);
}

function budget(id: string, prices: Prices): ClaudeModel {
  const info = { ...facts(id, [200_000, 64_000], prices), thinkingLevels: budgetLevels };
  return { info, thinking: { kind: "budget" } };
}

function adaptive(
  info: Omit<ModelInfo, "thinkingLevels">,
  off: Off,
  efforts: readonly Effort[],
  isBound: boolean,
): ClaudeModel {
  const levels: readonly ThinkingLevel[] = off === "never" ? efforts : ["off", ...efforts];
  return {
    info: { ...info, thinkingLevels: levels },
    thinking: { kind: "adaptive", off, bound: isBound, replay: true },
  };
}

function facts(
  id: string,
  [contextWindow, maxOutputTokens]: readonly [number, number],
  [input, output, cacheRead, cacheWrite]: Prices,
): Omit<ModelInfo, "thinkingLevels"> {
  const price = { input, output, cacheRead, cacheWrite };
  return { id, contextWindow, maxOutputTokens, images: true, price };
}
