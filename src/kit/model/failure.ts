import type { ModelFault, ModelFaultReason } from "#contract/fault.ts";
import { isConnectionText, isNetworkErrno, reasonOfCode, reasonsOfText } from "./failure-text.ts";
import { retryAfterMs } from "./retry-after.ts";

/**
 * The one place where a failed model call becomes a reason: status → code → errno → cause chain → text.
 * A provider collects the evidence; this file judges it; nobody reads error strings later. It is not
 * for errors of our own platform (D1, Durable Objects).
 * Trade-off: a status is trusted first, and code or wording may only turn it into a reason listed for
 * that status: a rate limit that mentions tokens must never look like an overflow.
 */
export interface FailureEvidence {
  readonly status?: number;
  readonly headers?: Headers;
  /** The provider's codes and types, the most specific first. */
  readonly codes: readonly string[];
  readonly message: string;
  /** What was thrown, for its chain of causes. */
  readonly error?: unknown;
  /** The client gave up before any answer began. */
  readonly unanswered?: boolean;
}

export interface FailureContext {
  readonly now: number;
  /** The variable that holds the provider's key, if it has one. */
  readonly keyVariable?: string;
  /** Where the provider is called. Only its origin is ever told: the rest may hold secrets. */
  readonly baseUrl?: string;
  redact(text: string): string;
}

const maxMessage = 500;
const maxCauses = 8;

const statusReasons: Readonly<Record<number, ModelFaultReason>> = {
  400: "format",
  401: "auth",
  402: "billing",
  403: "auth_permanent",
  404: "model_not_found",
  408: "timeout",
  410: "session_expired",
  413: "context_overflow",
  422: "format",
  429: "rate_limit",
  502: "overloaded",
  503: "overloaded",
  504: "timeout",
  522: "timeout",
  524: "timeout",
  529: "overloaded",
};

/** What code or text may make of a status. A status that is not here stands as it is. */
const refinements: Readonly<Record<number, readonly ModelFaultReason[]>> = {
  400: ["context_overflow", "billing", "auth", "model_not_found", "refusal", "overloaded"],
  403: ["billing", "refusal", "rate_limit"],
  422: ["context_overflow", "model_not_found"],
  429: ["billing", "overloaded"],
  500: ["overloaded", "context_overflow", "rate_limit", "timeout"],
  503: ["context_overflow", "rate_limit"],
};

/** Evidence → fault, with a message that is redacted and short. */
export function classifyFailure(evidence: FailureEvidence, context: FailureContext): ModelFault {
  const wait = evidence.headers && retryAfterMs(evidence.headers, context.now);
  const reason = reasonOf(evidence);
  return {
    reason,
    message: context.redact(summary(evidence)).slice(0, maxMessage),
    ...(evidence.status === undefined ? {} : { status: evidence.status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(reason === "timeout" && isConnectionFailure(evidence)
      ? connectionFacts(evidence, context)
      : {}),
    ...(isKeyRefused(reason) && context.keyVariable !== undefined
      ? { variable: context.keyVariable }
      : {}),
  };
}

function connectionFacts(
  { unanswered }: FailureEvidence,
  { baseUrl }: FailureContext,
): Pick<ModelFault, "connection" | "unreached"> {
  if (!unanswered || baseUrl === undefined) return { connection: true };
  return { connection: true, unreached: new URL(baseUrl).origin };
}

function isKeyRefused(reason: ModelFaultReason): boolean {
  return reason === "auth" || reason === "auth_permanent";
}

/** Did the connection fail or break off, or was somebody on the way too slow? */
function isConnectionFailure({ status, codes, message, error }: FailureEvidence): boolean {
  if (status !== undefined || codes.some((code) => reasonOfCode(code) === "timeout")) return false;
  const links = [{ code: "", message }, ...chainOf(error)];
  if (links.some((link) => /timed? ?out/i.test(`${link.code} ${link.message}`))) return false;
  return links.some((link) => isNetworkErrno(link.code) || isConnectionText(link.message));
}

function reasonOf(evidence: FailureEvidence): ModelFaultReason {
  const codes = [...evidence.codes, ...chainOf(evidence.error).map(({ code }) => code)];
  if (evidence.status !== undefined) return ofStatus(evidence.status, codes, evidence.message);
  const numeric = codes.map(Number).find((code) => code >= 400 && code < 600);
  if (numeric !== undefined) return ofStatus(numeric, codes, evidence.message);
  const byCode = codes.map(reasonOfCode).find((reason) => reason !== undefined);
  // "Invalid request" says nothing yet: the text may.
  if (byCode !== undefined && byCode !== "format") return byCode;
  if (codes.some(isNetworkErrno)) return "timeout";
  const texts = [evidence.message, ...chainOf(evidence.error).map(({ message }) => message)];
  return texts.flatMap(reasonsOfText)[0] ?? byCode ?? "unknown";
}

function ofStatus(status: number, codes: readonly string[], message: string): ModelFaultReason {
  const allowed = refinements[status] ?? [];
  const refined = [...codes.map(reasonOfCode), ...reasonsOfText(message)].find(
    (reason) => reason !== undefined && allowed.includes(reason),
  );
  return refined ?? statusReasons[status] ?? "unknown";
}

interface Link {
  readonly code: string;
  readonly message: string;
}

function chainOf(error: unknown): Link[] {
  const links: Link[] = [];
  let current = error;
  while (current instanceof Error && links.length < maxCauses) {
    const code: unknown = "code" in current ? current.code : undefined;
    links.push({ code: typeof code === "string" ? code : "", message: current.message });
    current = current.cause;
  }
  return links;
}

function summary(evidence: FailureEvidence): string {
  const said = evidence.message.trim();
  const causes = chainOf(evidence.error).map(({ code, message }) => message.trim() || code);
  const parts = [
    evidence.status === undefined ? "" : `HTTP ${evidence.status}`,
    evidence.codes[0] ?? "",
    said,
    ...causes.filter((cause) => cause !== "" && !said.includes(cause) && !cause.includes(said)),
  ];
  const shown = parts.filter((part) => part !== "");
  const last = shown.length - 1;
  // "Connection error.: reset" reads badly.
  const joined = shown.map((part, index) => (index < last ? part.replace(/[.:]$/, "") : part));
  return joined.join(": ") || "no explanation";
}
