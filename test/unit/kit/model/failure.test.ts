import { describe, expect, it } from "vitest";
import type { ModelFaultReason } from "#contract/fault.ts";
import { classifyFailure, type FailureEvidence } from "#kit/model/failure.ts";

const context = { now: 1_760_000_000_000, redact: (text: string) => text };

function reason(evidence: Partial<FailureEvidence>): ModelFaultReason {
  return classifyFailure({ codes: [], message: "", ...evidence }, context).reason;
}

describe("classifyFailure", () => {
  it("trusts the status first", () => {
    expect(reason({ status: 401, message: "overloaded, prompt is too long" })).toBe("auth");
    expect(reason({ status: 404, codes: ["rate_limit_error"] })).toBe("model_not_found");
    expect(reason({ status: 418 })).toBe("unknown");
  });

  it("lets a code or the text say more about a status that says little", () => {
    expect(reason({ status: 429, codes: ["insufficient_quota"] })).toBe("billing");
    expect(reason({ status: 429, message: "The engine is overloaded" })).toBe("overloaded");
    expect(reason({ status: 400, codes: ["content_filter"] })).toBe("refusal");
    expect(reason({ status: 400, message: "API key not valid. Please pass one." })).toBe("auth");
    expect(reason({ status: 400, message: "acme/x is not a valid model ID" })).toBe(
      "model_not_found",
    );
    expect(reason({ status: 500, codes: ["overloaded_error"] })).toBe("overloaded");
  });

  // B39
  it.each([
    "Context size has been exceeded.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    "the request exceeds the available context size (4096 tokens), try increasing it",
    "Your input exceeds the context window of this model.",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "Codex ran out of room in the model's context window.",
    "Please reduce the length of the messages or completion.",
    "Invalid request: Your request exceeded model token limit: 8192",
    "Input is too long for requested model.",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  ])("knows an overflow by its wording: %s", (message) => {
    expect(reason({ status: 400, message })).toBe("context_overflow");
    expect(reason({ message })).toBe("context_overflow");
    expect(reason({ status: 429, message })).not.toBe("context_overflow");
  });

  // B39
  it.each([
    "rate limit: 30000 input tokens per minute",
    "Request too large for model on tokens per min (TPM): Limit 30000, Requested 40000.",
    "Too many requests: the prompt is too long for your rate limit",
  ])("never takes a rate for an overflow: %s", (message) => {
    expect(reason({ status: 429, message })).toBe("rate_limit");
    expect(reason({ message })).toBe("rate_limit");
  });

  it.each(["invalid context id", "max_tokens: 200000 > 128000", "unknown field: context"])(
    "never takes any bad request for an overflow: %s",
    (message) => {
      expect(reason({ status: 400, message })).toBe("format");
    },
  );

  it("reads the code of an error without a status", () => {
    expect(reason({ codes: ["overloaded_error"] })).toBe("overloaded");
    expect(reason({ codes: ["rate_limit_exceeded"] })).toBe("rate_limit");
    expect(reason({ codes: ["502"] })).toBe("overloaded");
    expect(reason({ codes: ["server_error"], message: "no idea" })).toBe("unknown");
    expect(reason({ codes: ["invalid_request_error"], message: "bad field" })).toBe("format");
  });

  it("follows the chain of causes of a broken connection", () => {
    const reset = Object.assign(new Error("read"), { code: "ECONNRESET" });
    const wrapped = new Error("Connection error.", { cause: new Error("x", { cause: reset }) });
    expect(reason({ message: "odd", error: wrapped })).toBe("timeout");
    expect(reason({ message: "odd", error: new TypeError("terminated") })).toBe("timeout");
    const circular = new Error("odd");
    circular.cause = circular;
    expect(reason({ message: "odd", error: circular })).toBe("unknown");
  });

  it("tells a connection that failed from a server that is too slow", () => {
    const failed = (evidence: Partial<FailureEvidence>) =>
      classifyFailure({ codes: [], message: "", ...evidence }, context).connection;
    const caused = (code: string) =>
      new Error("odd", { cause: Object.assign(new Error("x"), { code }) });
    for (const code of ["ECONNREFUSED", "ENOTFOUND", "ECONNRESET", "UND_ERR_SOCKET"]) {
      expect(failed({ message: "odd", error: caused(code) })).toBe(true);
    }
    expect(failed({ message: "Network connection lost." })).toBe(true);
    for (const code of ["ETIMEDOUT", "UND_ERR_HEADERS_TIMEOUT"]) {
      expect(failed({ message: "fetch failed", error: caused(code) })).toBeUndefined();
    }
    expect(failed({ status: 504, message: "connection lost" })).toBeUndefined();
    expect(failed({ codes: ["timeout_error"], message: "connection closed" })).toBeUndefined();
    expect(failed({ message: "Request timed out." })).toBeUndefined();
    expect(failed({ message: "overloaded: connection reset" })).toBeUndefined();
  });

  it("tells where nothing answered, by the origin alone", () => {
    const at = { ...context, baseUrl: "https://ann:hidden@models.example:8443/v1?key=hidden" };
    const lost = { codes: [], message: "Network connection lost." };
    const fault = classifyFailure({ ...lost, unanswered: true }, at);
    expect(fault).toMatchObject({ connection: true, unreached: "https://models.example:8443" });
    expect(JSON.stringify(fault)).not.toContain("hidden");
    expect(classifyFailure(lost, at)).not.toHaveProperty("unreached");
    const slow = { codes: [], message: "Request timed out.", unanswered: true };
    expect(classifyFailure(slow, at)).not.toHaveProperty("unreached");
  });

  it("names the variable of a key that is refused, and of no other failure", () => {
    const known = { ...context, keyVariable: "SOME_API_KEY" };
    const variable = (status: number, at = known) =>
      classifyFailure({ status, codes: [], message: "" }, at).variable;
    expect(variable(401)).toBe("SOME_API_KEY");
    expect(variable(403)).toBe("SOME_API_KEY");
    expect(variable(429)).toBeUndefined();
    expect(classifyFailure({ status: 401, codes: [], message: "" }, context)).not.toHaveProperty(
      "variable",
    );
  });

  it("says what happened in one short, redacted line", () => {
    const fault = classifyFailure(
      {
        status: 400,
        codes: ["invalid_request_error"],
        message: `key secret-1 ${"x".repeat(2000)}`,
        headers: new Headers({ "retry-after": "3" }),
      },
      { now: 0, redact: (text) => text.replaceAll("secret-1", "…") },
    );
    expect(fault.message).toMatch(/^HTTP 400: invalid_request_error: key … x+$/);
    expect(fault.message.length).toBeLessThanOrEqual(500);
    expect(fault).toMatchObject({ status: 400, retryAfterMs: 3000 });
    expect(classifyFailure({ codes: [], message: "" }, context).message).not.toBe("");
  });
});
