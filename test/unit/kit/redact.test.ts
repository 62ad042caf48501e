import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact } from "#kit/redact.ts";
import { botId, botToken, random } from "./fake-secret.ts";

describe("shapes", () => {
  // B79
  test.each([
    ["a call", `https://api.telegram.org/bot${botId}:${botToken}/getFile`],
    ["a file", `https://api.telegram.org/file/bot${botId}:${botToken}/photos/1.jpg`],
    ["a custom root", `http://127.0.0.1:8081/tg/bot${botId}:${botToken}/sendMessage`],
    ["an encoded colon", `https://api.telegram.org/bot${botId}%3A${botToken}/getMe`],
    ["a lower-case encoded colon", `https://api.telegram.org/bot${botId}%3a${botToken}/getMe`],
    ["a doubly encoded colon", `https://api.telegram.org/bot${botId}%253A${botToken}/getMe`],
    ["an encoded URL", encodeURIComponent(`https://t.example/bot${botId}:${botToken}/getMe`)],
    ["a short token", `https://api.telegram.org/bot7:abc/getMe`],
  ])("masks a Telegram token in %s and keeps host and method", (_name, url) => {
    const masked = redact(`fetch failed: ${url} after 3 s`);
    expect(masked).not.toContain(botToken);
    expect(masked).not.toContain(":abc");
    expect(masked).not.toContain(botId);
    expect(masked).toMatch(/api\.telegram\.org|127\.0\.0\.1:8081|t\.example/);
    expect(masked).toMatch(/getFile|1\.jpg|sendMessage|getMe/);
  });

  test("masks a bare Telegram token", () => {
    expect(redact(`token ${botId}:${botToken}, see above`)).toBe("token [redacted], see above");
  });

  const samples: [string, string][] = [
    ["Anthropic", `sk-ant-api03-${random(24)}`],
    ["Anthropic in short", "sk-ant-FAKE0123456789abcdefghij"],
    ["OpenAI", `sk-${random(40)}`],
    ["OpenAI project", `sk-proj-${random(20)}_${random(20)}`],
    ["Slack bot", "xoxb-0-FAKE"],
    ["Slack user", `xoxp-${random(10, "0123456789")}-${random(20)}`],
    ["Slack rotated", `xoxe.xoxp-1-${random(30)}`],
    ["Slack app", `xapp-1-${random(20)}`],
    ["GitHub classic", `ghp_${random(36)}`],
    ["GitHub fine-grained", `github_pat_${random(22)}_${random(40)}`],
    ["AWS", `AKIA${random(16, "ABCDEFGHIJKLMNOP234567")}`],
    ["Google", `AIza${random(35)}`],
    ["JWT", `eyJ${random(20)}.eyJ${random(30)}.${random(43)}`],
    ["Hugging Face", `hf_${random(34)}`],
  ];

  test.each(samples)("masks %s", (_name, secret) => {
    for (const text of [
      secret,
      `invalid key ${secret} given`,
      JSON.stringify({ error: `line\n${secret}` }),
      encodeURIComponent(`key is ${secret}`),
      `(${secret})`,
      `"${secret}",`,
    ]) {
      const masked = redact(text);
      expect(masked).not.toContain(secret);
      expect(masked).toContain("[redacted]");
    }
  });

  test("masks authorization headers and bearer tokens", () => {
    const secret = random(24);
    for (const text of [
      `Authorization: Bearer ${secret}`,
      `authorization=Basic ${secret}`,
      `{"authorization":"Bearer ${secret}"}`,
      `sent Bearer ${secret} to the host`,
      `-H 'X-Api-Key: ${secret}'`,
      `Cookie: session=${secret}; theme=dark`,
      "Authorization: Bearer FAKE",
    ]) {
      const masked = redact(text);
      expect(masked).not.toContain(secret);
      expect(masked).not.toContain("FAKE");
    }
  });

  test("masks credentials and secret parameters of URLs", () => {
    const secret = random(12);
    expect(redact(`GET https://ann:${secret}@host.example/a?b=c`)).toBe(
      "GET https://[redacted]@host.example/a?b=c",
    );
    expect(redact(`postgres://ann:p@ss${secret}@db.example:5432/x`)).toBe(
      "postgres://[redacted]@db.example:5432/x",
    );
    for (const name of [
      "token",
      "access_token",
      "key",
      "api_key",
      "apiKey",
      "client_secret",
      "X-Amz-Signature",
      "sig",
      "password",
    ]) {
      const masked = redact(`https://host.example/p?x=1&${name}=${secret}&y=2#${name}=${secret}`);
      expect(masked).toBe(`https://host.example/p?x=1&${name}=[redacted]&y=2#${name}=[redacted]`);
      expect(redact(`next=https%3A%2F%2Fh%2F%3F${name}%3D${secret}%26y%3D2`)).not.toContain(secret);
    }
  });

  test("masks settings and members by their name", () => {
    const secret = random(10);
    expect(redact(`ANTHROPIC_API_KEY=${secret} wrangler dev`)).toBe(
      "ANTHROPIC_API_KEY=[redacted] wrangler dev",
    );
    expect(redact(`{"bot_token":"${secret}","chat":5}`)).toBe(
      '{"bot_token":"[redacted]","chat":5}',
    );
    expect(redact(JSON.stringify({ body: `{"password":"${secret}"}` }))).not.toContain(secret);
  });

  test("masks private keys, also those cut off", () => {
    const body = `${random(64)}\n${random(64)}\n${random(20)}==`;
    const whole = `a\n-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\nb`;
    expect(redact(whole)).toBe(
      "a\n-----BEGIN PRIVATE KEY-----[redacted]-----END PRIVATE KEY-----\nb",
    );
    expect(redact(JSON.stringify({ key: whole }))).not.toContain(body.slice(0, 20));
    const cut = redact(
      `-----BEGIN PRIVATE KEY-----\n${body.slice(0, 100)}\nthen words follow here`,
    );
    expect(cut).not.toContain(body.slice(0, 20));
    expect(cut).toContain("then words follow here");
  });

  test.each([
    "GET https://host.example/bot/settings?page=2",
    "the robot: 12:30 lunch",
    "risk-assessment-of-the-thing-and-more-words",
    "use Bearer authentication for the API",
    "https://medium.example/@ann/story",
    "keyword=weather&tokens=1500&max_tokens=20",
    "https://shop.example/?keyword=weather&max_tokens=5&monkey=yes",
    "TELEGRAM_BOT_TOKEN: expected a string",
    "run with --var TELEGRAM_BOT_TOKEN=<token>",
    "commit 675c78f1e2d3c4b5a69788796a5b4c3d2e1f0a9b",
    "agent:main:telegram:direct:111000111",
    "2026-01-02T03:04:05.678Z",
    "write to ann@host.example about Cookie: chocolate",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  ])("leaves %j as it is", (text) => {
    expect(redact(text)).toBe(text);
  });

  test("masks nothing more the second time", () => {
    const fragment = fc.oneof(
      fc.constantFrom(
        "Authorization: ",
        "Bearer ",
        "?token=",
        "&key=",
        "://",
        "@",
        "bot12:",
        "/bot12:abc",
        "sk-",
        "PASSWORD=",
        '"secret":"',
        '"',
        "Cookie: a=",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "\n",
        " ",
        "eyJaaaa.bbbb.cccc",
      ),
      fc.string({ maxLength: 12 }),
      fc.stringMatching(/^[A-Za-z0-9]{0,30}$/),
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (parts) => {
        const once = redact(parts.join(""));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  test("takes linear time on hostile texts", { timeout: 60_000 }, () => {
    const units = [
      "a",
      "sk-",
      "sk-a",
      "eyJ",
      "eyJaaaa.",
      "://",
      "://a:",
      "bot1",
      "bot1:",
      "?token",
      "&",
      "&a=",
      "%3F",
      '"a":"',
      "Bearer ",
      "Authorization: ",
      "-----BEGIN PRIVATE KEY-----",
      "1",
      "1:",
      "_",
      "cookie: ",
      "A=",
      "\\n",
      "%20sk-",
      "xoxb-",
      "ghp_",
      " ",
      "-",
    ];
    for (const unit of units) {
      const text = unit.repeat(Math.ceil(100_000 / unit.length));
      expect(redact(text).length, JSON.stringify(unit)).toBeGreaterThan(0);
    }
  });
});
