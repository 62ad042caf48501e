import type { Reply } from "./double-server.ts";

/**
 * Failures a test can script for the next call of a method, and the refusals the double makes by
 * itself. `cut` and `serverError` may come before or after the effect: the caller cannot tell.
 */
export type TelegramFailure =
  | { readonly kind: "tooManyRequests"; readonly retryAfter: number }
  | { readonly kind: "serverError"; readonly status?: number; readonly applied?: boolean }
  | { readonly kind: "cut"; readonly applied?: boolean }
  /** Never answers. */
  | { readonly kind: "hang"; readonly applied?: boolean }
  | { readonly kind: "blocked" }
  | { readonly kind: "chatNotFound" }
  | { readonly kind: "threadNotFound" }
  | { readonly kind: "cannotParse" }
  | { readonly kind: "migrated"; readonly to: number }
  | { readonly kind: "refused"; readonly status: number; readonly description: string }
  /** Something between us and the platform answers, not the platform. */
  | { readonly kind: "proxy"; readonly status: number; readonly body: string };

export class ApiFault extends Error {
  readonly status: number;
  readonly parameters: Readonly<Record<string, number>> | undefined;

  constructor(status: number, description: string, parameters?: Record<string, number>) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

export function badRequest(description: string): ApiFault {
  return new ApiFault(400, `Bad Request: ${description}`);
}

export function faultReply(fault: ApiFault): Reply {
  return {
    status: fault.status,
    body: JSON.stringify({
      ok: false,
      error_code: fault.status,
      description: fault.message,
      ...(fault.parameters && { parameters: fault.parameters }),
    }),
  };
}

/** Does the failure leave the effect in place? */
export function isApplied(failure: TelegramFailure): boolean {
  return "applied" in failure && failure.applied === true;
}

export function failureReply(failure: TelegramFailure): Reply | Promise<Reply> {
  switch (failure.kind) {
    case "tooManyRequests": {
      const description = `Too Many Requests: retry after ${failure.retryAfter}`;
      return faultReply(new ApiFault(429, description, { retry_after: failure.retryAfter }));
    }
    case "serverError": {
      const status = failure.status ?? 502;
      const description = status === 502 ? "Bad Gateway" : "Internal Server Error";
      return faultReply(new ApiFault(status, description));
    }
    case "cut":
      return { cut: true };
    case "hang":
      return new Promise<Reply>(() => {});
    case "blocked":
      return faultReply(new ApiFault(403, "Forbidden: bot was blocked by the user"));
    case "chatNotFound":
      return faultReply(badRequest("chat not found"));
    case "threadNotFound":
      return faultReply(badRequest("message thread not found"));
    case "cannotParse":
      return faultReply(badRequest("can't parse entities: Unmatched end tag at byte offset 5"));
    case "migrated": {
      const description = "Bad Request: group chat was upgraded to a supergroup chat";
      return faultReply(new ApiFault(400, description, { migrate_to_chat_id: failure.to }));
    }
    case "refused":
      return faultReply(new ApiFault(failure.status, failure.description));
    case "proxy":
      return {
        status: failure.status,
        headers: { "content-type": "text/html" },
        body: failure.body,
      };
  }
}
