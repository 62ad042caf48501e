import type { Usage } from "#contract/model.ts";
import type { OutcomeReason } from "#contract/outcome.ts";
import type { TurnEnd } from "#contract/turn.ts";

/** What goes out in OpenAI's shapes: completions, chunks, usage, errors. */
type FinishReason = "stop" | "length";

/** What all parts of one answer have in common. */
export interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

interface Wire {
  /** Of a turn that ended well. */
  readonly finish: FinishReason;
  /** Of one that failed. */
  readonly status: 429 | 502 | 503;
}

/** The one mapper from a turn's reason to what OpenAI's clients know. */
export function wireOf(reason: OutcomeReason): Wire {
  switch (reason) {
    case "length":
      return { finish: "length", status: 502 };
    case "rate_limit":
      return { finish: "stop", status: 429 };
    case "overloaded":
    case "timeout":
    case "interrupted":
      return { finish: "stop", status: 503 };
    case "end":
    case "silent":
    case "question":
    case "command":
    case "stopped":
    case "new_conversation":
    case "interrupted_by_message":
    case "set_aside":
    case "journal_version":
    case "step_limit":
    case "time_limit":
    case "tool_loop":
    case "internal":
    case "unknown_message":
    case "billing":
    case "auth":
    case "auth_permanent":
    case "format":
    case "model_not_found":
    case "session_expired":
    case "context_overflow":
    case "refusal":
    case "empty":
    case "aborted":
    case "not_configured":
    case "unknown":
      return { finish: "stop", status: 502 };
  }
}

export function completionOf(head: CompletionHead, text: string, event: TurnEnd) {
  return {
    id: head.id,
    object: "chat.completion",
    created: head.created,
    model: head.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null },
        logprobs: null,
        finish_reason: wireOf(event.reason).finish,
      },
    ],
    usage: usageOf(event.usage),
  };
}

export function chunkOf(
  head: CompletionHead,
  delta: { readonly role?: "assistant"; readonly content?: string },
  finishReason: FinishReason | null,
) {
  return {
    id: head.id,
    object: "chat.completion.chunk",
    created: head.created,
    model: head.model,
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
export function failureOf(event: TurnEnd): TurnFailure | null {
  if (event.status !== "failed") return null;
  const { text: message, reason: code } = event;
  return { status: wireOf(code).status, message, code };
}
