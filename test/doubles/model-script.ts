import type { Usage } from "#contract/model.ts";

/**
 * The language in which tests tell a model server what to answer, the same for every provider:
 *
 *   server.play({ text: "pong" });                                    // every call
 *   server.play({ toolCalls: [{ name: "add", arguments: { a: 1 } }] }, { text: "2" });   // 1st, then
 *   server.play({ status: 429, retryAfter: 7 }, { text: "pong" });
 *   server.script = (call, n) => ({ text: `${n}: ${call.userText}` });
 *
 * `play` gives one step to each call; the last one repeats. A script may await anything. Seen calls are
 * in `server.calls`, what the server refused as the real API would in `server.refusals`.
 */
export type Step = AnswerStep | FailureStep | RawStep | JsonStep;

/** `n` counts the calls since the script was set, from 1. */
export type Script = (call: ModelCall, n: number) => Step | Promise<Step>;

export interface AnswerStep {
  readonly text?: string;
  /** How the text is streamed: in so many pieces (default 3), or in these. */
  readonly chunks?: number | readonly string[];
  readonly thinking?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** Default: "tool-calls" with calls, else "end". */
  readonly stopReason?: "end" | "tool-calls" | "length" | "refusal";
  /** The provider's own words when it declines. */
  readonly refusal?: string;
  /** Default: made from the lengths, never zero. Null: a server of OpenAI's kind that reports none. */
  readonly usage?: Partial<Usage> | null;
  /** Waited before every delta. */
  readonly delayMs?: number;
  /** Awaited before every delta; it may never resolve. Counts deltas from 1. */
  readonly gate?: (delta: number) => void | Promise<void>;
  /** The connection is cut right behind so many deltas (at the end if there are fewer). */
  readonly cutAfter?: number;
  /** An error inside the stream, after everything above was sent. */
  readonly error?: ScriptedError;
}

export interface ScriptedCall {
  readonly name: string;
  /** An object, or raw text that need not be JSON. */
  readonly arguments?: object | string;
  readonly id?: string;
}

export interface ScriptedError {
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
}

export interface FailureStep {
  readonly status: number;
  /** Default: what the real API says with this status. */
  readonly error?: ScriptedError;
  readonly retryAfter?: number | string;
  readonly headers?: Record<string, string>;
  /** Instead of the error object: this body, as it is. */
  readonly body?: string;
}

/** The body of a 200 stream, as it is; each string is one write. */
export interface RawStep {
  readonly rawSse: string | readonly string[];
  /** Cut the connection at the end instead of closing it, or leave it open. */
  readonly end?: "close" | "cut" | "hold";
}

/** A 200 answer that is not streamed, although it was asked for. */
export interface JsonStep {
  readonly json: unknown;
}

/** A request as the server understood it, the same shape for every API. */
export interface ModelCall {
  /** Counts the server's calls from 1. */
  readonly index: number;
  readonly path: string;
  readonly model: string;
  /** The whole system prompt. */
  readonly system: string;
  readonly messages: readonly SeenMessage[];
  /** Names of the tools, in order. */
  readonly tools: readonly string[];
  /** Text of the last message a person wrote. */
  readonly userText: string;
  readonly stream: boolean;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed body, for details. */
  readonly body: Record<string, unknown>;
}

export interface SeenMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  /** MIME types of its images and files. */
  readonly media: readonly string[];
  readonly toolCalls: readonly { id: string; name: string; arguments: string }[];
  readonly toolResults: readonly { id: string; text: string; isError: boolean }[];
}

/** One write of a stream. Deltas are what gates, delays and cuts count. */
export interface Frame {
  readonly data: string;
  readonly isDelta?: boolean;
}

/** Streams frames with the step's delays, gates and cuts. */
export async function* paced(
  frames: readonly Frame[],
  step: Pick<AnswerStep, "delayMs" | "gate" | "cutAfter">,
): AsyncGenerator<string> {
  let deltas = 0;
  for (const frame of frames) {
    if (frame.isDelta === true) {
      if (step.cutAfter === 0) await cut();
      deltas += 1;
      if (step.delayMs !== undefined) await wait(step.delayMs);
      await step.gate?.(deltas);
    }
    yield frame.data;
    if (frame.isDelta === true && deltas === step.cutAfter) await cut();
  }
  if (step.cutAfter !== undefined) await cut();
}

/** Thrown inside a body: the base class destroys the connection. */
class ConnectionCut extends Error {}

const flushMs = 10;

/** Cuts the connection, once what was written has had time to leave: a destroyed socket drops it. */
export async function cut(): Promise<never> {
  await wait(flushMs);
  throw new ConnectionCut();
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** The pieces of an answer's text. */
export function textChunks(step: AnswerStep): readonly string[] {
  if (Array.isArray(step.chunks)) return step.chunks as readonly string[];
  const text = step.text ?? "";
  const count = typeof step.chunks === "number" ? step.chunks : 3;
  const size = Math.max(1, Math.ceil(text.length / count));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

export function answerText(step: AnswerStep): string {
  return textChunks(step).join("");
}

export function rawArguments(call: ScriptedCall): string {
  if (typeof call.arguments === "string") return call.arguments;
  return JSON.stringify(call.arguments ?? {});
}

export function stopReasonOf(step: AnswerStep): NonNullable<AnswerStep["stopReason"]> {
  return step.stopReason ?? (step.toolCalls?.length ? "tool-calls" : "end");
}

/** What the answer is said to have cost. */
export function usageOf(step: AnswerStep, call: ModelCall): Usage {
  const said = JSON.stringify([answerText(step), step.thinking, step.toolCalls]);
  return {
    input: Math.ceil(JSON.stringify(call.body).length / 4),
    output: Math.ceil(said.length / 4),
    cacheRead: 0,
    cacheWrite: 0,
    ...step.usage,
  };
}
