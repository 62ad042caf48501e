import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, describeError, redactValue } from "#kit/redact.ts";
import { botId, botToken, random } from "./fake-secret.ts";

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
