import type { VerifyFault, WebhookRequest } from "#contract/channel.ts";
import { err, ok, type Result } from "#contract/result.ts";

/**
 * Is a webhook request from Telegram? It sends our secret back in a header; the body is not signed.
 * Both values are hashed first, so that neither content nor length shows in the time it takes.
 */
export const secretHeader = "x-telegram-bot-api-secret-token";

/** Never rejects. Without a configured secret nothing passes. */
export async function verifyTelegram(
  request: Pick<WebhookRequest, "headers">,
  secret: string | undefined,
): Promise<Result<void, VerifyFault>> {
  if (!secret) return err("not_configured");
  const given = request.headers.get(secretHeader);
  if (given === null) return err("missing");
  return (await sameText(given, secret)) ? ok(undefined) : err("wrong");
}

async function sameText(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([digest(left), digest(right)]);
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) {
    difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  }
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
