import type { VerifyFault, WebhookRequest } from "#contract/channel.ts";
import { err, ok, type Result } from "#contract/result.ts";

/**
 * Slack's v0 request signature: HMAC-SHA256 over `v0:<timestamp>:<raw body>`. It works on the bytes that
 * arrived (re-encoded JSON has another signature), and `crypto.subtle.verify` compares in constant time.
 * Not here: replay within the five minutes, which the dedupe keys of accept catch.
 */
const maxSkewSeconds = 300;

/** Never throws. An empty secret refuses everything, also what was signed with an empty key. */
export async function verifySlackSignature(
  request: WebhookRequest,
  signingSecret: string,
): Promise<Result<void, VerifyFault>> {
  if (signingSecret === "") return err("not_configured");
  const timestamp = request.headers.get("x-slack-request-timestamp") ?? "";
  const signature = request.headers.get("x-slack-signature") ?? "";
  if (timestamp === "" || signature === "") return err("missing");
  const expected = signatureBytes(signature);
  if (expected === null || !/^\d{1,12}$/.test(timestamp)) return err("wrong");
  if (Math.abs(request.now / 1000 - Number(timestamp)) > maxSkewSeconds) return err("stale");
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(signingSecret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const genuine = await crypto.subtle.verify(
    "HMAC",
    key,
    expected,
    signed(timestamp, request.body),
  );
  return genuine ? ok(undefined) : err("wrong");
}

function signed(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = new TextEncoder().encode(`v0:${timestamp}:`);
  const bytes = new Uint8Array(prefix.length + body.length);
  bytes.set(prefix);
  bytes.set(body, prefix.length);
  return bytes;
}

/** `v0=` and 64 hexadecimal digits → 32 bytes, else null. */
function signatureBytes(signature: string): Uint8Array<ArrayBuffer> | null {
  const digits = /^v0=([0-9a-f]{64})$/i.exec(signature)?.[1];
  if (digits === undefined) return null;
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}
