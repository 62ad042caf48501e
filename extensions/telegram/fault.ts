import { GrammyError, HttpError } from "grammy/web";
import type { SendResult } from "#contract/channel.ts";

/**
 * What went wrong with a call, told apart once, here: the platform said no (`refused`, `throttled`,
 * `moved`), no byte of the request left (`unreached`), or nobody knows (`lost`: a cut connection, a time
 * limit, a 5xx, an unreadable answer). In workerd a refused connection looks like a cut one: `lost`.
 * Reasons are built from the platform's own description and error codes, never from error messages,
 * which may hold the request's address and with it the token.
 */
export type CallFault =
  | { readonly kind: "refused"; readonly code: number; readonly description: string }
  | { readonly kind: "throttled"; readonly afterMs?: number }
  | { readonly kind: "moved"; readonly chatId: string; readonly description: string }
  | { readonly kind: "unreached"; readonly reason: string }
  | { readonly kind: "lost"; readonly reason: string };

/** Codes of failures that happen before anything is sent. */
const unreachedCodes = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const maxCauses = 8;

export function classifyError(error: unknown): CallFault {
  if (error instanceof GrammyError) return classifyAnswer(error);
  const code = errorCode(error instanceof HttpError ? error.error : error);
  if (code !== undefined && unreachedCodes.has(code)) {
    return { kind: "unreached", reason: `Telegram could not be reached (${code})` };
  }
  const detail = code === undefined ? "" : ` (${code})`;
  return { kind: "lost", reason: `Telegram did not answer${detail}` };
}

function classifyAnswer(error: GrammyError): CallFault {
  // What is not from the platform (a proxy's JSON) may lack both, whatever the types say.
  const code: unknown = error.error_code;
  const description = typeof error.description === "string" ? error.description : "no reason given";
  if (typeof code !== "number" || code >= 500) {
    const status = typeof code === "number" ? ` with ${code}` : "";
    return { kind: "lost", reason: `Telegram failed${status}` };
  }
  const { retry_after: seconds, migrate_to_chat_id: chatId } = error.parameters;
  if (code === 429) {
    return { kind: "throttled", ...(typeof seconds === "number" && { afterMs: seconds * 1000 }) };
  }
  if (typeof chatId === "number") return { kind: "moved", chatId: String(chatId), description };
  return { kind: "refused", code, description: plainDescription(description) };
}

function plainDescription(description: string): string {
  return description.replace(/^(Bad Request|Forbidden|Not Found|Conflict): /, "");
}

function errorCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > maxCauses) return undefined;
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: unknown };
  const inner = errorCode(cause, depth + 1);
  if (inner !== undefined) return inner;
  if (typeof code === "string" && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  return name === "TimeoutError" || name === "AbortError" ? "TIMEOUT" : undefined;
}

/** Refused because of its mark-up: the plain text would do. */
export function isUnreadable(fault: CallFault): boolean {
  return (
    fault.kind === "refused" &&
    fault.code === 400 &&
    /can't parse entities/i.test(fault.description)
  );
}

/** `once`: repeating it could show something twice. `again`: it may be repeated. */
export type Repetition = "once" | "again";

export function faultResult(fault: CallFault, repetition: Repetition): SendResult {
  switch (fault.kind) {
    case "throttled":
      return {
        status: "retry",
        reason: "Telegram asks to slow down",
        ...(fault.afterMs !== undefined && { afterMs: fault.afterMs }),
      };
    case "unreached":
      return { status: "retry", reason: fault.reason };
    case "lost":
      return { status: repetition === "once" ? "unknown" : "retry", reason: fault.reason };
    case "refused":
    case "moved":
      return { status: "failed", reason: `Telegram refused: ${refusalText(fault)}` };
  }
}

/** A refusal in words for people and logs. */
export function refusalText(fault: CallFault): string {
  switch (fault.kind) {
    case "refused":
      if (fault.code === 401 || fault.description === "Not Found")
        return "the bot token is not valid";
      return fault.description.replace(/^bot /, "the bot ");
    case "moved":
      return fault.description;
    case "throttled":
      return "too many requests, try again later";
    case "unreached":
    case "lost":
      return fault.reason;
  }
}
