import { z } from "zod";
import type { AssistantPart } from "#contract/model.ts";

/**
 * A reasoning item of the Responses API ⇄ our thinking part. The encrypted text belongs to one model of
 * one account, so the model's name is kept with it: sent to another model it would be an error.
 */
const sealedSchema = z.object({ model: z.string(), id: z.string(), encrypted: z.string() });

export interface ReasoningItem {
  readonly type: "reasoning";
  readonly id: string;
  readonly summary: { type: "summary_text"; text: string }[];
  readonly encrypted_content: string;
}

/** Undefined when there is nothing to keep. */
export function thinkingPart(
  item: { id: string; summary: string; encrypted: string | undefined },
  model: string,
): AssistantPart | undefined {
  const part = { type: "thinking", text: item.summary, provider: "openai" } as const;
  if (item.encrypted) {
    const sealed: z.infer<typeof sealedSchema> = { model, id: item.id, encrypted: item.encrypted };
    return { ...part, redacted: JSON.stringify(sealed) };
  }
  return item.summary === "" ? undefined : part;
}

/** Undefined unless this very model made the part. */
export function reasoningItem(part: AssistantPart, model: string): ReasoningItem | undefined {
  if (part.type !== "thinking" || part.provider !== "openai") return undefined;
  const sealed = sealedSchema.safeParse(parse(part.redacted));
  if (!sealed.success || sealed.data.model !== model) return undefined;
  const summary = part.text === "" ? [] : [{ type: "summary_text" as const, text: part.text }];
  const { id, encrypted } = sealed.data;
  return { type: "reasoning", id, summary, encrypted_content: encrypted };
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined; // Made by another API of this provider.
  }
}
