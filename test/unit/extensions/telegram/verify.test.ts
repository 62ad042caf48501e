import { describe, expect, it } from "vitest";
import { verifyTelegram } from "#ext/telegram/verify.ts";

const secret = `s-${crypto.randomUUID()}`;

function request(header: string | undefined) {
  const headers = new Headers();
  if (header !== undefined) headers.set("X-Telegram-Bot-Api-Secret-Token", header);
  return { headers };
}

// B76
describe("verifyTelegram", () => {
  it.each([
    ["no secret, no header", undefined, undefined, "not_configured"],
    ["no secret, some header", undefined, "x", "not_configured"],
    ["empty secret, empty header", "", "", "not_configured"],
    ["secret, no header", secret, undefined, "missing"],
    ["secret, empty header", secret, "", "wrong"],
    ["secret, wrong header of the same length", secret, secret.replace(/.$/, "_"), "wrong"],
    ["secret, a beginning of it", secret, secret.slice(0, 9), "wrong"],
    ["secret, more than it", secret, `${secret}0`, "wrong"],
    ["secret, another case", secret, secret.toUpperCase(), "wrong"],
  ])("refuses: %s", (_, configured, header, fault) => {
    expect(verifyTelegram(request(header), configured)).toEqual({ ok: false, error: fault });
  });

  it("lets the right secret pass", () => {
    expect(verifyTelegram(request(secret), secret)).toEqual({ ok: true, value: undefined });
  });
});
