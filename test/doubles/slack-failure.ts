import type { Reply } from "./double-server.ts";

/**
 * Failures a test can script for the next call of a method, and Slack's own way of saying no: HTTP 200
 * with `ok: false`. `cut`, `hang` and `serverError` may come before or after the effect.
 */
export type SlackFailure =
  | { readonly kind: "rateLimited"; readonly retryAfter?: number; readonly status?: 200 | 429 }
  | { readonly kind: "error"; readonly code: string; readonly needed?: string }
  | { readonly kind: "serverError"; readonly status?: number; readonly applied?: boolean }
  | { readonly kind: "cut"; readonly applied?: boolean }
  /** Never answers. */
  | { readonly kind: "hang"; readonly applied?: boolean }
  /** Something between us and Slack answers. */
  | {
      readonly kind: "proxy";
      readonly status: number;
      readonly body: string;
      readonly location?: string;
    };

/** A refusal the double makes by itself. */
export class SlackFault extends Error {
  readonly needed: string | undefined;

  constructor(code: string, needed?: string) {
    super(code);
    this.needed = needed;
  }
}

export function refusalReply(code: string, needed?: string): Reply {
  return { body: JSON.stringify({ ok: false, error: code, ...(needed && { needed }) }) };
}

/** Does the failure leave the effect in place? */
export function isApplied(failure: SlackFailure): boolean {
  return "applied" in failure && failure.applied === true;
}

export function failureReply(failure: SlackFailure): Reply | Promise<Reply> {
  switch (failure.kind) {
    case "rateLimited":
      return {
        ...refusalReply("ratelimited"),
        status: failure.status ?? 429,
        ...(failure.retryAfter !== undefined && {
          headers: { "retry-after": String(failure.retryAfter) },
        }),
      };
    case "error":
      return refusalReply(failure.code, failure.needed);
    case "serverError":
      return { status: failure.status ?? 503, headers: html, body: "<html>unavailable</html>" };
    case "cut":
      return { cut: true };
    case "hang":
      return new Promise<Reply>(() => {});
    case "proxy":
      return {
        status: failure.status,
        headers: { ...html, ...(failure.location !== undefined && { location: failure.location }) },
        body: failure.body,
      };
  }
}

const html = { "content-type": "text/html" };
