import { expect } from "vitest";
import type { FetchedMedia } from "#contract/channel.ts";
import type { ModelFault } from "#contract/fault.ts";
import {
  type AssistantMessage,
  type ModelEvent,
  type ModelMessage,
  modelMessageSchema,
  type ModelRequest,
  type StopReason,
  type ToolCall,
  type Usage,
} from "#contract/model.ts";
import type { Provider, StreamContext } from "#contract/provider.ts";
import type { ModelCall, Step } from "#test/doubles/model-script.ts";

/**
 * What a provider hands to the conformance suite, and the tools its tests share. `run` makes a call and
 * checks the laws of Provider.stream on the way, whatever the test is about. No test lives here.
 */
export interface ProviderSuite {
  readonly name: string;
  /** What this provider cannot do or have; its tests are left out. */
  readonly without?: readonly ProviderFeature[];
  /** A fresh provider over a fresh double. Called before every test. */
  start(): Promise<ProviderRig>;
}

export type ProviderFeature =
  /** The double answers what it is told to. Without it only the laws of a stream are tested. */
  | "script"
  /** Text arrives in pieces. */
  | "streaming"
  | "tools"
  | "usage"
  | "images"
  | "refusal"
  /** HTTP statuses and headers. */
  | "status"
  /** An error inside a stream that began well. */
  | "stream-error"
  /** A connection that can break. */
  | "cut";

export interface ProviderRig {
  readonly provider: Provider;
  readonly model: string;
  /** Values given to `create` that must never show up in an event. */
  readonly secrets: readonly string[];
  /** One step per call, in order; the last one repeats. */
  play(...steps: readonly [Step, ...Step[]]): void;
  /** Calls the double saw, oldest first. */
  calls(): readonly ModelCall[];
  /** What the double refused as the real API would. */
  refusals(): readonly string[];
  stop(): Promise<void>;
}

export interface Outcome {
  readonly events: readonly ModelEvent[];
  /** Text deltas, joined. */
  readonly shown: string;
  readonly finish: Extract<ModelEvent, { type: "finish" }> | undefined;
  readonly fault: ModelFault | undefined;
}

export type RequestPart = Partial<ModelRequest>;

export function user(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

export function requestOf(model: string, part: RequestPart = {}): ModelRequest {
  return {
    model,
    system: [{ text: "You are terse.", cacheBoundary: true }],
    messages: [user("ping")],
    tools: [],
    maxOutputTokens: 1000,
    thinking: "off",
    cacheKey: "agent-main-direct-1",
    ...part,
  };
}

export function streamContext(
  signal: AbortSignal = new AbortController().signal,
  files: Readonly<Record<string, FetchedMedia>> = {},
): StreamContext {
  return { signal, readMedia: (key) => Promise.resolve(files[key] ?? null) };
}

/** Makes one call and checks what holds for every call. */
export async function run(
  rig: ProviderRig,
  part: RequestPart = {},
  context: StreamContext = streamContext(),
): Promise<Outcome> {
  const events: ModelEvent[] = [];
  for await (const event of rig.provider.stream(requestOf(rig.model, part), context)) {
    events.push(event);
  }
  return checked(rig, events);
}

/** The laws: one terminal event, last; a whole message; nothing secret. */
export function checked(rig: ProviderRig, events: readonly ModelEvent[]): Outcome {
  const terminal = events.filter((event) => event.type === "finish" || event.type === "error");
  expect(terminal).toHaveLength(1);
  expect(events.at(-1)).toBe(terminal[0]);
  for (const secret of rig.secrets) expect(JSON.stringify(events)).not.toContain(secret);
  const shown = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  const last = events.at(-1);
  const finish = last?.type === "finish" ? last : undefined;
  if (finish !== undefined) {
    expect(modelMessageSchema.parse(finish.message)).toEqual(finish.message);
    expect(finish.message.content.length).toBeGreaterThan(0);
    expect(shown).toBe(textOf(finish.message));
  }
  return { events, shown, finish, fault: last?.type === "error" ? last.fault : undefined };
}

export function textOf(message: AssistantMessage): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

export interface Answer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly stopReason: StopReason;
  readonly usage: Usage | null;
  readonly message: AssistantMessage;
}

/** The answer of a call that must have succeeded. */
export function answerOf(outcome: Outcome): Answer {
  if (outcome.finish === undefined) {
    throw new Error(`expected an answer, got ${JSON.stringify(outcome.fault)}`);
  }
  const { message, stopReason, usage } = outcome.finish;
  const calls = message.content.filter((part) => part.type === "tool-call");
  return { text: textOf(message), calls, stopReason, usage, message };
}

/** The fault of a call that must have failed. */
export function faultOf(outcome: Outcome): ModelFault {
  if (outcome.fault === undefined) {
    throw new Error(`expected a fault, got ${JSON.stringify(outcome.finish)}`);
  }
  return outcome.fault;
}
