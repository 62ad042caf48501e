/**
 * The closed set of reasons a model call can fail for. A provider classifies once, at its edge
 * (HTTP status → error code → errno → cause chain → text); nobody re-reads message strings later.
 */
export const modelFaultReasons = [
  "billing",
  "rate_limit",
  "overloaded",
  "auth",
  "auth_permanent",
  "timeout",
  "format",
  "model_not_found",
  "session_expired",
  "context_overflow",
  "refusal",
  "empty",
  "aborted",
  "not_configured",
  "unknown",
] as const;

export type ModelFaultReason = (typeof modelFaultReasons)[number];

/** Why a model call failed. `message` is already redacted and safe for logs. */
export interface ModelFault {
  readonly reason: ModelFaultReason;
  readonly message: string;
  /** HTTP status, if there was an answer. */
  readonly status?: number;
  /** What the provider asked us to wait, in milliseconds (Retry-After and its relatives). */
  readonly retryAfterMs?: number;
  /** With `timeout`: no time limit ran out, the connection failed or broke off. */
  readonly connection?: true;
  /** With `connection`, when nothing answered at all: the origin of the address that was tried. */
  readonly unreached?: string;
  /** With `auth`: the variable that holds the refused key. Only the provider knows it. */
  readonly variable?: string;
}

/** Whether the same request may be tried again at all, and how. */
export type RetryClass = "retry" | "repair" | "never";

/** The one mapper from reason to retry class. Context overflow is handled by making room. */
export function retryClass(reason: ModelFaultReason): RetryClass {
  switch (reason) {
    case "rate_limit":
    case "overloaded":
    case "timeout":
    case "empty":
    case "unknown":
      return "retry";
    case "format":
    case "context_overflow":
      return "repair";
    case "billing":
    case "auth":
    case "auth_permanent":
    case "model_not_found":
    case "session_expired":
    case "refusal":
    case "aborted":
    case "not_configured":
      return "never";
  }
}

/** The one mapper from reason to what the person in the chat reads: what happened, what to try. */
export function faultText(fault: ModelFault, model: string): string {
  switch (fault.reason) {
    case "billing":
      return `${model} refused: the account behind its key has no credit left. Top it up, or switch with /model.`;
    case "rate_limit":
      return `${model} is rate limited right now. Your message is kept; send /again later or switch with /model.`;
    case "overloaded":
      return `${model} is overloaded right now. Your message is kept; send /again in a minute or switch with /model.`;
    case "auth":
    case "auth_permanent":
      return `${model} does not accept ${keyWords(fault.variable)}, then send /again; or pick another model with /model, /models lists them.`;
    case "timeout":
      return `${timeoutWords(fault, model)} Your message is kept; send /again, or switch with /model.`;
    case "format":
      return `${model} could not read the request. /new starts a clean conversation; /model picks another model.`;
    case "model_not_found":
      return `${model} does not exist at its provider. /models lists what is available, /model picks one.`;
    case "session_expired":
      return `The sign-in for ${model} has expired. Renew it, then send /again.`;
    case "context_overflow":
      return `This conversation no longer fits ${model}. /new starts a fresh one; nothing is deleted.`;
    case "refusal":
      return `${model} declined to answer this.`;
    case "empty":
      return `${model} gave an empty answer. Send /again to ask once more.`;
    case "aborted":
      return "Stopped.";
    case "not_configured":
      return `${model} is not set up: ${fault.message}`;
    case "unknown":
      return `${model} failed for an unexpected reason. Your message is kept; send /again, or switch with /model.`;
  }
}

function timeoutWords({ connection, unreached }: ModelFault, model: string): string {
  if (unreached !== undefined) {
    return `${model} was not reached: there is no connection to ${unreached}. Is that its address, and does it run?`;
  }
  if (connection) return `${model} could not be reached: the connection failed or broke off.`;
  return `${model} did not answer in time.`;
}

function keyWords(variable: string | undefined): string {
  if (variable === undefined) return "the configured key. Check the key";
  return `the key in ${variable}. Set the right one (${whereToSet(variable)})`;
}

/** Where the operator sets a variable, for messages. */
export function whereToSet(variable: string): string {
  return `in .dev.vars, and start again; deployed: npx wrangler secret put ${variable}`;
}
