import { APIConnectionError, APIError } from "openai";
import type { ModelFault } from "#contract/fault.ts";
import { classifyFailure, type FailureContext } from "#kit/model/failure.ts";

/**
 * What the OpenAI client throws, or a stream reports, → a fault. It collects the evidence;
 * kit/model/failure.ts judges it. An error inside a stream counts the same as an HTTP error.
 */

/** An answer that reported its own failure in its data. */
export class AnswerError extends Error {
  readonly providerCode: string | undefined;

  constructor(message: string, code: string | number | null | undefined) {
    super(message);
    this.name = "AnswerError";
    this.providerCode = code === null || code === undefined ? undefined : String(code);
  }
}

export function toFault(error: unknown, context: FailureContext): ModelFault {
  if (error instanceof APIError) return ofApiError(error, context);
  if (error instanceof AnswerError) {
    const codes = error.providerCode === undefined ? [] : [error.providerCode];
    return classifyFailure({ codes, message: error.message }, context);
  }
  const message = error instanceof Error ? error.message : String(error);
  return classifyFailure({ codes: [], message, error }, context);
}

function ofApiError(error: APIError, context: FailureContext): ModelFault {
  const { status, headers } = error;
  // The client's types promise strings; compatible servers send numbers, too.
  const codes = [error.code, error.type].filter(isCode).map(String);
  return classifyFailure(
    {
      codes,
      message: status === undefined ? error.message : withoutStatus(error.message),
      // With a status, the answer is all there is to know; without one, the causes tell.
      error: status === undefined ? error : undefined,
      unanswered: error instanceof APIConnectionError,
      ...(status === undefined ? {} : { status }),
      ...(headers === undefined ? {} : { headers }),
    },
    context,
  );
}

function isCode(code: unknown): code is string | number {
  return (typeof code === "string" && code !== "") || typeof code === "number";
}

function withoutStatus(message: string): string {
  return message.replace(/^\d{3} /, "");
}
