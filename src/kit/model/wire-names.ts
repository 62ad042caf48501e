import type { ModelMessage, ToolCall, ToolResult } from "#contract/model.ts";

/**
 * Names and ids as providers take them: letters, digits, "_" and "-", at most 64 of them, ids unique in
 * a conversation. Ours may be freer (a tool "mcp:calendar.list", an id from another provider, ids that a
 * local server counts from zero in every answer). Names are mapped back on the way in; ids need not be,
 * because the next request maps them again.
 */
const maxLength = 64;

export interface ToolNames {
  toWire(name: string): string;
  fromWire(name: string): string;
}

/** One mapping for one request, over the names of its tools. */
export function toolNames(names: readonly string[]): ToolNames {
  const wire = new Map<string, string>();
  const back = new Map<string, string>();
  for (const name of names) {
    const unique = firstFree(clean(name), (candidate) => back.has(candidate));
    wire.set(name, unique);
    back.set(unique, name);
  }
  return {
    // A call in the history may name a tool that is gone by now.
    toWire: (name) => wire.get(name) ?? clean(name),
    fromWire: (name) => back.get(name) ?? name,
  };
}

/** A tool call with its id for the wire and the result that belongs to it. */
export interface WireCall {
  readonly id: string;
  readonly call: ToolCall;
  readonly result: ToolResult | undefined;
}

/** For every assistant message with calls: its calls in order, each with its result. */
export function pairCalls(messages: readonly ModelMessage[]): Map<ModelMessage, WireCall[]> {
  const used = new Set<string>();
  const pairs = new Map<ModelMessage, WireCall[]>();
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const results = resultsAfter(messages, index);
    const calls = message.content.filter((part) => part.type === "tool-call");
    const wired = calls.map((call) => {
      const id = firstFree(clean(call.id), (candidate) => used.has(candidate));
      used.add(id);
      return { id, call, result: results.find((result) => result.callId === call.id) };
    });
    if (wired.length > 0) pairs.set(message, wired);
  }
  return pairs;
}

/**
 * Ids for the calls of a new answer: the provider's own, unless it is missing or was used before in this
 * conversation. Effects are made exactly once per call id, so a repeated one would swallow a call.
 */
export function freshCallIds(
  messages: readonly ModelMessage[],
  newId: () => string,
): (id: string) => string {
  const used = new Set(
    messages
      .flatMap((message) => (message.role === "assistant" ? message.content : []))
      .map((part) => (part.type === "tool-call" ? part.id : "")),
  );
  return (id) => {
    const fresh = id === "" ? `call_${newId()}` : used.has(id) ? `${id}_${newId()}` : id;
    used.add(fresh);
    return fresh;
  };
}

function resultsAfter(messages: readonly ModelMessage[], index: number): ToolResult[] {
  const results: ToolResult[] = [];
  for (const message of messages.slice(index + 1)) {
    if (message.role !== "tool") break;
    results.push(...message.results);
  }
  return results;
}

function clean(name: string): string {
  const cleaned = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, maxLength);
  return cleaned === "" ? "_" : cleaned;
}

function firstFree(wanted: string, isTaken: (candidate: string) => boolean): string {
  let candidate = wanted;
  for (let count = 2; isTaken(candidate); count += 1) {
    const suffix = `_${count}`;
    candidate = wanted.slice(0, maxLength - suffix.length) + suffix;
  }
  return candidate;
}
