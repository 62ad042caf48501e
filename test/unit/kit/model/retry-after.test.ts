import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryAfterMs } from "#kit/model/retry-after.ts";

const now = Date.parse("2026-11-29T12:00:00Z");

function wait(headers: Record<string, string>): number | undefined {
  return retryAfterMs(new Headers(headers), now);
}

describe("retryAfterMs", () => {
  it.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Sun, 29 Nov 2026 12:01:30 GMT" }, 90_000],
    [{ "retry-after": "Sun, 29 Nov 2026 11:00:00 GMT" }, 0],
    [{ "retry-after-ms": "1234", "retry-after": "9" }, 1234],
    [{ "x-ratelimit-reset": "20" }, 20_000],
    [{ "x-ratelimit-reset": String(now / 1000 + 30) }, 30_000],
    [{ "x-ratelimit-reset": String(now + 4000) }, 4000],
    [{ "x-ratelimit-reset": "2026-11-29T12:00:05Z" }, 5000],
    [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m12s" }, 372_000],
    [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms" }, 20],
    [{ "x-ratelimit-remaining-requests": "9", "x-ratelimit-reset-requests": "1h" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{}, undefined],
  ] as const)("reads %j as %s ms", (headers, expected) => {
    expect(wait(headers)).toBe(expected);
  });

  it("never answers with a negative number or nonsense, whatever is sent", () => {
    const value = fc.string({ unit: "grapheme-ascii" }).map((text) => text.trim());
    fc.assert(
      fc.property(value, value, (after, reset) => {
        const answer = wait({ "retry-after": after, "x-ratelimit-reset": reset });
        expect(answer === undefined || answer >= 0).toBe(true);
      }),
    );
  });
});
