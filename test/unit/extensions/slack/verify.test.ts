import { describe, expect, it } from "vitest";
import { verifySlackSignature } from "#ext/slack/verify.ts";
import { slackSignature } from "#test/doubles/slack-webhook.ts";

const secret = "fake-signing-secret";
// Two spaces and escapes that JSON.stringify would not reproduce: only the raw bytes verify.
const rawBody =
  '{"type":"event_callback",  "event_id":"EvFAKE01","event":{"type":"message","channel":"C0FAKE0001",' +
  '"channel_type":"channel","user":"U0FAKE0001","text":"caf\\u00e9 \\/ok","ts":"1760000000.000100"}}';
const rawSignature = "v0=f77274969ad3cbf29feb3ecdbded1f19e37f3b712b49aa8005a3bb5e32e78a52";
const reserialisedSignature = "v0=e7b77b2d45f5bb3fc47da05f177cb22757da724ef5bf21c37b48368a82e8d5c1";

function verify(
  headers: Record<string, string>,
  options: { body?: string; at?: number; secret?: string } = {},
) {
  const body = new TextEncoder().encode(options.body ?? rawBody);
  const request = {
    headers: new Headers(headers),
    body,
    now: (options.at ?? 1_760_000_010) * 1000,
  };
  return verifySlackSignature(request, options.secret ?? secret);
}

function headers(signature: string, timestamp = "1760000000") {
  return { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature };
}

describe("the request signature", () => {
  // B20
  it("is checked over the bytes as they arrived", async () => {
    expect(await verify(headers(rawSignature))).toEqual({ ok: true, value: undefined });
    expect(await verify(headers(reserialisedSignature))).toEqual({ ok: false, error: "wrong" });
    const reserialised = JSON.stringify(JSON.parse(rawBody));
    expect((await verify(headers(rawSignature), { body: reserialised })).ok).toBe(false);
  });

  // B20
  it("is refused more than five minutes off the clock, in both directions", async () => {
    expect((await verify(headers(rawSignature), { at: 1_760_000_300 })).ok).toBe(true);
    expect((await verify(headers(rawSignature), { at: 1_759_999_700 })).ok).toBe(true);
    for (const at of [1_760_000_301, 1_759_999_699]) {
      expect(await verify(headers(rawSignature), { at })).toEqual({ ok: false, error: "stale" });
    }
  });

  // B20
  it("covers form bodies byte for byte", async () => {
    const body = "command=%2Fpagurus&text=caf%C3%A9+%2f&user_id=U0FAKE0001";
    const signed = slackSignature(body, secret, 1_760_000_000_000);
    expect((await verify(signed, { body })).ok).toBe(true);
    const again = new URLSearchParams(body).toString();
    expect(again).not.toBe(body);
    expect((await verify(signed, { body: again })).ok).toBe(false);
  });

  // B76
  it("is refused when no secret is set, also when it was made with an empty key", async () => {
    const signed = slackSignature(rawBody, "", 1_760_000_000_000);
    for (const one of [signed, headers(rawSignature), {}]) {
      expect(await verify(one, { secret: "" })).toEqual({ ok: false, error: "not_configured" });
    }
    expect((await verify(signed)).ok).toBe(false);
  });

  it.each([
    ["no headers", {}, "missing"],
    ["no timestamp", { "x-slack-signature": rawSignature }, "missing"],
    ["no signature", { "x-slack-request-timestamp": "1760000000" }, "missing"],
    ["another version", headers(rawSignature.replace("v0", "v1")), "wrong"],
    ["a prefix of the right one", headers(rawSignature.slice(0, -2)), "wrong"],
    ["something longer", headers(`${rawSignature}00`), "wrong"],
    ["no hexadecimal", headers(`v0=${"z".repeat(64)}`), "wrong"],
    ["another right-sized one", headers(`v0=${"0".repeat(64)}`), "wrong"],
    ["a timestamp that is no number", headers(rawSignature, "soon"), "wrong"],
    ["a timestamp with a sign", headers(rawSignature, "-1760000000"), "wrong"],
    ["another timestamp", headers(rawSignature, "1760000001"), "wrong"],
  ])("is refused with %s", async (_, given, error) => {
    expect(await verify(given as Record<string, string>)).toEqual({ ok: false, error });
  });
});
