import { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import type { ModelFault } from "#contract/fault.ts";
import { classifyFailure, type FailureContext } from "#kit/model/failure.ts";

/**
 * What the Anthropic client throws → a fault. It collects the evidence; kit/model/failure.ts judges it.
 * An error event inside a stream arrives here as an APIError without a status and counts the same.
 */
export function toFault(error: unknown, context: FailureContext): ModelFault {
  if (!(error instanceof APIError)) {
    const message = error instanceof Error ? error.message : String(error);
    return classifyFailure({ codes: [], message, error }, context);
  }
  const codes = [error.errorCode, error.type].filter((code) => typeof code === "string");
  const message = error.apiMessage ?? error.message;
  const { status, headers } = error;
  return classifyFailure(
    {
      codes,
      message,
      // With a status, the answer is all there is to know; without one, the causes tell.
      error: status === undefined ? error : undefined,
      unanswered: error instanceof APIConnectionError,
      ...(status === undefined ? {} : { status }),
      ...(headers === undefined ? {} : { headers }),
    },
    context,
  );
}
