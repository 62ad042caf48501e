import type { AssistantPart, StopReason, Usage } from "#contract/model.ts";
import type { ToolNames } from "./wire-names.ts";

/**
 * An answer in the making, of providers that speak (a dialect of) Chat Completions. How its pieces are
 * read differs and is theirs; what it comes to is the same.
 */
export interface ChatDraft {
  text: string;
  thinking: string;
  readonly calls: CallDraft[];
  usage: Usage | null;
  finishReason: string | undefined;
  refused: boolean;
}

export interface CallDraft {
  /** As the provider numbers it; null if it does not. */
  readonly index: number | null;
  id: string;
  name: string;
  arguments: string;
}

export interface ChatNames {
  readonly names: ToolNames;
  freshId(id: string): string;
}

export function emptyDraft(): ChatDraft {
  return {
    text: "",
    thinking: "",
    calls: [],
    usage: null,
    finishReason: undefined,
    refused: false,
  };
}

export function draftedParts(
  draft: ChatDraft,
  provider: string,
  reading: ChatNames,
): AssistantPart[] {
  const thinking: AssistantPart = { type: "thinking", text: draft.thinking, provider };
  const calls = draft.calls.filter(({ name }) => name !== "");
  return [
    ...(draft.thinking === "" ? [] : [thinking]),
    { type: "text", text: draft.text },
    ...calls.map((call): AssistantPart => ({
      type: "tool-call",
      id: reading.freshId(call.id),
      name: reading.names.fromWire(call.name),
      arguments: call.arguments.trim() === "" ? "{}" : call.arguments,
    })),
  ];
}

/** Calls count whatever the reason says: endingEvent sees to it. */
export function draftedStop({ refused, finishReason }: ChatDraft): StopReason {
  if (refused || finishReason === "content_filter") return "refusal";
  return finishReason === "length" ? "length" : "end";
}
