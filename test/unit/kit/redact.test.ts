import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, describeError, redact, redactValue } from "#kit/redact.ts";

const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789";

/** Made at run time, so that nothing can be hard-coded. */
function random(length: number, letters = alphabet): string {
  const values = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(values, (value) => letters[value % letters.length]).join("");
}

const botId = `9${random(8, "0123456789")}`;
const botToken = `FAKE-${random(30)}`;

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

describe("createRedactor", () => {
  test("masks configured values in every spelling", () => {
    const secret = `p@ss w/${random(12)}"~+é`;
    const redactor = createRedactor([secret]);
    const spellings = [
      secret,
      encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase().includes("%") ? encodeURIComponent(secret) : secret,
      new URLSearchParams({ q: secret }).toString().slice(2),
      JSON.stringify({ m: secret }).slice(6, -2),
    ];
    for (const spelling of spellings) {
      const masked = redactor.redact(`before ${spelling} after`);
      expect(masked, spelling).toBe("before [redacted] after");
    }
  });

  test("masks the base64 of a configured value at any alignment", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9_.-]{10,40}$/),
        fc.string({ maxLength: 8 }),
        fc.string({ maxLength: 8 }),
        (secret, before, after) => {
          const encoded = Buffer.from(before + secret + after).toString("base64");
          const inner = Buffer.from(secret).toString("base64").slice(4, 10);
          const masked = createRedactor([secret]).redact(`Basic <${encoded}>`);
          expect(masked).toContain("[redacted]");
          if (before === "") expect(masked).not.toContain(inner);
        },
      ),
    );
  });

  test("masks a value that contains another one whole", () => {
    const short = random(10);
    const long = `${short}-${random(6)}`;
    expect(createRedactor([short, long]).redact(`<${long}>`)).toBe("<[redacted]>");
  });

  test("masks short values only as words and ignores the shortest", () => {
    const redactor = createRedactor(["dev1", "abc", "", "  "]);
    expect(redactor.redact("dev1 dev12 abc")).toBe("[redacted] dev12 abc");
  });
});

describe("redactValue", () => {
  test("reaches every string and masks members named like a secret", () => {
    const secret = `ghp_${random(36)}`;
    const value = redactValue({
      list: [secret, 1, null, true, { deep: `x ${secret}` }],
      botToken: "anything",
      password: "",
      tokens: 12,
      sessionKey: "agent:main:main",
      left: undefined,
    });
    expect(value).toEqual({
      list: ["[redacted]", 1, null, true, { deep: "x [redacted]" }],
      botToken: "[redacted]",
      password: "",
      tokens: 12,
      sessionKey: "agent:main:main",
      left: undefined,
    });
  });

  test("survives any JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const json = JSON.parse(JSON.stringify(value));
        expect(() => redactValue(json)).not.toThrow();
      }),
    );
  });
});

describe("describeError", () => {
  // B79
  test("walks the chain of causes and masks each", () => {
    const url = `https://api.telegram.org/bot${botId}:${botToken}/getFile`;
    const inner = Object.assign(new Error(`connect failed ${url}`), { code: "ECONNREFUSED" });
    const outer = new TypeError("fetch failed", { cause: new Error("middle", { cause: inner }) });
    expect(describeError(outer)).toBe(
      "TypeError: fetch failed (caused by Error: middle (caused by Error: connect failed " +
        "https://api.telegram.org/bot[redacted]/getFile [ECONNREFUSED]))",
    );
  });

  test("masks configured values", () => {
    const secret = random(16);
    expect(createRedactor([secret]).describeError(new Error(`bad ${secret}`))).toBe(
      "Error: bad [redacted]",
    );
  });

  test("tells the members of an AggregateError", () => {
    expect(describeError(new AggregateError([new Error("a"), new RangeError("b")], "both"))).toBe(
      "AggregateError: both [Error: a; RangeError: b]",
    );
  });

  test("never throws", () => {
    const loop: { cause?: unknown; message: string } = { message: "loop" };
    loop.cause = loop;
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
      },
    );
    const values = [loop, hostile, undefined, null, 5n, Symbol("s"), "text", { a: 1 }, () => 1];
    for (const value of values) expect(typeof describeError(value)).toBe("string");
    expect(describeError(loop)).toContain("loop");
    expect(describeError("text")).toBe("text");
  });

  test("cuts what is too long", () => {
    expect(describeError(new Error("x ".repeat(10_000))).length).toBeLessThan(2100);
  });
});
