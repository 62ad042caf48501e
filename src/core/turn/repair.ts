import type { AssistantPart, ModelMessage, ToolCall, ToolResult } from "#contract/model.ts";

/**
 * Makes a list of messages one that every provider accepts: roles alternate, each tool call is followed
 * by exactly one result in call order, nothing is blank, it begins with a person and ends with something
 * to answer. A view for one request; what is stored stays as it is. Deterministic, and repairing twice
 * changes nothing more. It does not make room (trim-history.ts) and knows nothing of transcripts.
 */
export const INTERRUPTED = "Interrupted: whether this call took effect is unknown.";
const NO_OUTPUT = "(no output)";
const WROTE_FIRST = "[Pagurus] The conversation begins with your own message.";
const GO_ON = "[Pagurus] Go on.";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;

/** A call and the result that was found for it. */
interface Slot {
  readonly call: ToolCall;
  /** Its id in the transcript; `call.id` differs when one answer used it twice. */
  readonly storedId: string;
  result: ToolResult | undefined;
}

export function repairMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const slots = pair(messages);
  const repaired: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === "tool") continue;
    if (message.role === "user") pushUser(repaired, message.content.filter(isSaying));
    else pushAssistant(repaired, message, slots.get(message) ?? []);
  }
  return withEnds(repaired);
}

/** Finds the result of every call. Results nobody asked for are in no slot and so disappear. */
function pair(messages: readonly ModelMessage[]): Map<ModelMessage, Slot[]> {
  const slots = new Map<ModelMessage, Slot[]>();
  const open = new Map<string, Slot[]>();
  for (const message of messages) {
    if (message.role === "assistant") {
      const own = slotsOf(message);
      slots.set(message, own);
      // Some servers count ids anew in each answer: an id means its latest call.
      for (const id of new Set(own.map((slot) => slot.storedId))) {
        open.set(
          id,
          own.filter((slot) => slot.storedId === id),
        );
      }
    }
    if (message.role === "tool") message.results.forEach((result) => claim(open, result));
  }
  return slots;
}

function claim(open: ReadonlyMap<string, Slot[]>, result: ToolResult): void {
  const slot = open.get(result.callId)?.find((one) => one.result === undefined);
  if (slot) slot.result = result;
}

function slotsOf(message: AssistantMessage): Slot[] {
  const used = new Set<string>();
  const calls = message.content.filter((part) => part.type === "tool-call");
  return calls.map((call) => {
    let id = call.id;
    for (let count = 2; used.has(id); count++) id = `${call.id}_${count}`;
    used.add(id);
    const repaired = { ...call, id, arguments: objectText(call.arguments) };
    return { call: repaired, storedId: call.id, result: undefined };
  });
}

/** Providers take objects only; what is none is shown to the model as what it wrote. */
function objectText(text: string): string {
  if (text.trim() === "") return "{}";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Cut or invalid: shown below.
  }
  return JSON.stringify({ unparsed: text });
}

function pushUser(
  repaired: ModelMessage[],
  content: Extract<ModelMessage, { role: "user" }>["content"],
): void {
  if (content.length === 0) return;
  const last = repaired.at(-1);
  if (last?.role === "user") last.content.push(...content);
  else repaired.push({ role: "user", content: [...content] });
}

function pushAssistant(repaired: ModelMessage[], message: AssistantMessage, slots: Slot[]): void {
  const calls = slots.values();
  const content = message.content.flatMap((part): AssistantPart[] => {
    if (part.type === "tool-call") return [calls.next().value?.call ?? part];
    return part.type === "text" && !isSaying(part) ? [] : [part];
  });
  // Thinking alone says nothing, and no provider takes it alone.
  if (content.every((part) => part.type === "thinking")) return;
  const last = repaired.at(-1);
  if (last?.role === "assistant") last.content.push(...content);
  else repaired.push({ role: "assistant", content });
  if (slots.length > 0) repaired.push({ role: "tool", results: slots.map(resultOf) });
}

function resultOf({ call, result }: Slot): ToolResult {
  const { id: callId, name } = call;
  if (!result) return { callId, name, text: INTERRUPTED, isError: true };
  const text = result.text.trim() === "" ? NO_OUTPUT : result.text;
  return { callId, name, text, isError: result.isError };
}

function isSaying(part: { type: string; text?: string }): boolean {
  return part.type !== "text" || (part.text ?? "").trim() !== "";
}

/** A person speaks first, and last is what the model is to answer. */
function withEnds(messages: ModelMessage[]): ModelMessage[] {
  const first = messages[0];
  const ends = [...messages];
  if (first && first.role !== "user") ends.unshift(said(WROTE_FIRST));
  if (ends.at(-1)?.role === "assistant") ends.push(said(GO_ON));
  return ends;
}

function said(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}
