import type { ModelFault } from "#contract/fault.ts";
import { classifyFailure, type FailureContext } from "#kit/model/failure.ts";
import { readErrorBody } from "./error-body.ts";

/**
 * What goes wrong on Workers AI → a fault. Two ways lead here: a Response with an error status, and what
 * the binding throws ("3040: No more data centers …"). It collects the evidence and translates Workers
 * AI's own codes; kit/model/failure.ts judges it.
 */
export class AnswerError extends Error {
  readonly codes: readonly string[];
  readonly status: number | undefined;
  readonly headers: Headers | undefined;

  constructor(message: string, codes: readonly string[], response?: Response) {
    super(message);
    this.name = "AnswerError";
    this.codes = codes;
    this.status = response?.status;
    this.headers = response?.headers;
  }
}

/** Its own numbers (developers.cloudflare.com/workers-ai/platform/errors) → codes and statuses known elsewhere. */
const meanings: Readonly<Record<string, readonly [code: string, status: number]>> = {
  "3003": ["invalid_request_error", 400],
  "3006": ["request_too_large", 413],
  "3007": ["timeout_error", 408],
  "3008": ["timeout_error", 408],
  "3023": ["permission_error", 403],
  // The day's free allocation is used up: waiting a moment does not help.
  "3036": ["insufficient_quota", 429],
  "4006": ["insufficient_quota", 429],
  "3040": ["engine_overloaded", 429],
  "3041": ["permission_error", 403],
  "3042": ["model_not_found", 404],
  "5004": ["invalid_request_error", 400],
  "5007": ["model_not_found", 400],
  "5016": ["permission_error", 403],
  "5018": ["permission_error", 403],
};

/** An error event inside a stream; undefined when it is none. */
export function readError(json: unknown, response?: Response): AnswerError | undefined {
  const body = readErrorBody(json);
  return body && new AnswerError(body.message, body.codes, response);
}

/** The error of a Response that is not ok. Reads its body. */
export async function errorOf(response: Response): Promise<AnswerError> {
  const body = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    json = undefined; // Not JSON: the text itself is the message.
  }
  return readError(json, response) ?? new AnswerError(body.slice(0, 2000), [], response);
}

export function toFault(error: unknown, context: FailureContext): ModelFault {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof AnswerError)) {
    const [code, status] = meaningOf([], message);
    const known = status === undefined ? {} : { status };
    return classifyFailure({ codes: code, message, error, ...known }, context);
  }
  const [code, ownStatus] = meaningOf(error.codes, message);
  const status = error.status ?? ownStatus;
  return classifyFailure(
    {
      codes: [...code, ...error.codes],
      message,
      ...(status === undefined ? {} : { status }),
      ...(error.headers === undefined ? {} : { headers: error.headers }),
    },
    context,
  );
}

/** Of its own code: in a field, or in front of the message as the binding and the REST API put it. */
function meaningOf(
  codes: readonly string[],
  message: string,
): readonly [codes: readonly string[], status: number | undefined] {
  const written = /^(?:AiError: )*(\d{4}):/.exec(message)?.[1];
  const own = [...codes, written].find((code) => code !== undefined && code in meanings);
  const [code, status] = meanings[own ?? ""] ?? [];
  return [code === undefined ? [] : [code], status];
}
