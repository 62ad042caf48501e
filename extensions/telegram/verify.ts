import type { VerifyFault, WebhookRequest } from "#contract/channel.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { constantTimeEqual } from "#kit/constant-time.ts";

/**
 * Is a webhook request from Telegram? It sends our secret back in a header; the body is not signed, so
 * the secret is all there is.
 */
export const secretHeader = "x-telegram-bot-api-secret-token";

/** Without a configured secret nothing passes. */
export function verifyTelegram(
  request: Pick<WebhookRequest, "headers">,
  secret: string | undefined,
): Result<void, VerifyFault> {
  if (!secret) return err("not_configured");
  const given = request.headers.get(secretHeader);
  if (given === null) return err("missing");
  return constantTimeEqual(given, secret) ? ok(undefined) : err("wrong");
}
