import type { AnthropicBody } from "./anthropic-rules.ts";
import type { ModelCall } from "./model-script.ts";

/**
 * Anthropic's rules about thinking: which forms a model takes, which efforts go with them, that thinking
 * comes back with the signature it was given, and, for models that check it, behind the very prompt it
 * was thought after. Models that are not named take anything.
 */
const bindingBeta = "thinking-binding-controls-2026-08-01";
const adaptiveOnly = /^claude-(opus-(5|4-[78])|sonnet-5|haiku-5|fable|mythos)/;
const alwaysThinks = /^claude-(opus-5-5|fable|mythos)/;
const checksPrefix = /^claude-(opus-5-5|sonnet-5-5|haiku-5-5|fable-5-[12]|mythos-5-[12])/;
const betweenTools = "claude-sonnet-5-5";

/** Signatures given out → the prompt they belong to; undefined = not checked. */
export type Signatures = ReadonlyMap<string, string | undefined>;

export function thinkingRefusal(
  body: AnthropicBody,
  call: ModelCall,
  signatures: Signatures,
): string | undefined {
  return (
    modeRefusal(body) ??
    effortRefusal(body) ??
    budgetRefusal(body) ??
    bindingRefusal(body, call) ??
    signatureRefusal(body, signatures)
  );
}

/** Everything before the message with this index, as the check compares it. */
export function promptBefore(body: Record<string, unknown>, index: number): string {
  const messages = Array.isArray(body["messages"]) ? body["messages"].slice(0, index) : [];
  const prompt = JSON.stringify([body["system"] ?? null, body["tools"] ?? null, messages]);
  return prompt.replaceAll(/,?"cache_control":\{[^}]*\}/g, "");
}

function modeRefusal({ model, thinking }: AnthropicBody): string | undefined {
  const refuses: Record<string, boolean> = {
    enabled: adaptiveOnly.test(model),
    disabled: alwaysThinks.test(model) || model === betweenTools,
    between_tools: model !== betweenTools,
  };
  const mode = thinking?.type ?? "";
  return refuses[mode] === true
    ? `"thinking.type.${mode}" is not supported for this model.`
    : undefined;
}

function effortRefusal({ thinking, output_config }: AnthropicBody): string | undefined {
  const isOff = thinking?.type === "disabled" || thinking?.type === "between_tools";
  const effort = output_config?.effort;
  return isOff && (effort === "xhigh" || effort === "max")
    ? `output_config.effort: "${effort}" is not allowed with thinking off`
    : undefined;
}

function budgetRefusal({ thinking, max_tokens }: AnthropicBody): string | undefined {
  if (thinking?.type !== "enabled") return undefined;
  const budget = thinking["budget_tokens"];
  if (typeof budget !== "number" || budget < 1024) {
    return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
  }
  return budget < max_tokens
    ? undefined
    : "`max_tokens` must be greater than `thinking.budget_tokens`";
}

function bindingRefusal({ thinking }: AnthropicBody, call: ModelCall): string | undefined {
  const betas = String(call.headers["anthropic-beta"] ?? "").split(",");
  return thinking !== undefined && "block_binding" in thinking && !betas.includes(bindingBeta)
    ? "thinking.block_binding: Extra inputs are not permitted"
    : undefined;
}

function signatureRefusal(body: AnthropicBody, signatures: Signatures): string | undefined {
  const isChecked = checksPrefix.test(body.model) && !dropsBlocks(body);
  for (const [index, { content }] of body.messages.entries()) {
    for (const block of typeof content === "string" ? [] : content) {
      if (block.type !== "thinking") continue;
      if (!signatures.has(block.signature)) {
        return `messages.${index}: Invalid \`signature\` in \`thinking\` block`;
      }
      const prompt = signatures.get(block.signature);
      if (isChecked && prompt !== undefined && prompt !== promptBefore(body, index)) {
        return `messages.${index}: The block is bound to a different conversation.`;
      }
    }
  }
  return undefined;
}

function dropsBlocks({ thinking }: AnthropicBody): boolean {
  return JSON.stringify(thinking ?? {}).includes('"prefix_mismatch_behavior":"drop_block"');
}
