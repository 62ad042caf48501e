import type { Usage } from "#contract/model.ts";
import type { TurnEvent } from "#contract/turn.ts";
import type { Accepted } from "./openai-accept.ts";

/** What goes out in OpenAI's shapes: completions, chunks, usage, errors. */
type Ended = Extract<TurnEvent, { type: "ended" }>;
type FinishReason = "stop" | "length";

/** Was the answer finished, or cut at the model's output limit? */
export function finishReasonOf(event: Ended): FinishReason {
  return event.reason === "length" ? "length" : "stop";
}

export function completionOf(accepted: Accepted, text: string, event: Ended) {
  return {
    id: accepted.id,
    object: "chat.completion",
    created: accepted.created,
    model: accepted.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null },
        logprobs: null,
        finish_reason: finishReasonOf(event),
      },
    ],
    usage: usageOf(event.usage),
  };
}

export function chunkOf(
  accepted: Accepted,
  delta: { readonly role?: "assistant"; readonly content?: string },
  finishReason: FinishReason | null,
) {
  return {
    id: accepted.id,
    object: "chat.completion.chunk",
    created: accepted.created,
    model: accepted.model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  };
}

export function usageOf(usage: Usage) {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
  };
}

type Status = 400 | 401 | 404 | 413 | 429 | 502 | 503;

export function errorOf(status: Status, message: string, param?: string, code?: string): Response {
  const type = status === 401 ? "authentication_error" : errorType(status);
  const error = { message, type, param: param ?? null, code: code ?? null };
  return Response.json({ error }, { status });
}

function errorType(status: Status): string {
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** An error inside a stream, in the shape clients look for. */
export function errorChunk({ message, code }: { message: string; code: string }) {
  return { error: { message, type: "server_error", param: null, code } };
}

export interface TurnFailure {
  readonly status: Status;
  readonly message: string;
  readonly code: string;
}

/** Null: the turn ended well (silence and a stop count as such). */
export function failureOf(event: Ended): TurnFailure | null {
  if (event.status !== "failed") return null;
  const { text: message, reason: code } = event;
  if (code === "rate_limit") return { status: 429, message, code };
  const later = code === "overloaded" || code === "timeout" || code === "interrupted";
  return { status: later ? 503 : 502, message, code };
}
