import { GrammyError, HttpError } from "grammy/web";
import { describe, expect, it } from "vitest";
import { classifyError, faultResult, refusalText } from "#ext/telegram/fault.ts";
import { token } from "./telegram-rig.ts";

function answered(error_code: number, description: string, parameters: object = {}): GrammyError {
  return new GrammyError(
    "Call to 'sendMessage' failed!",
    { ok: false, error_code, description, parameters },
    "sendMessage",
    { text: "private words" },
  );
}

function unanswered(code?: string): HttpError {
  const cause = Object.assign(new Error(`connect https://example.org/bot${token}/x`), { code });
  return new HttpError("Network request failed", new TypeError("fetch failed", { cause }));
}

describe("classifyError", () => {
  it.each([
    ["429 with a time", answered(429, "Too Many Requests", { retry_after: 3 }), "retry", "retry"],
    ["429 without one", answered(429, "Too Many Requests"), "retry", "retry"],
    ["500", answered(500, "Internal Server Error"), "unknown", "retry"],
    ["502", answered(502, "Bad Gateway"), "unknown", "retry"],
    ["400", answered(400, "Bad Request: chat not found"), "failed", "failed"],
    ["403", answered(403, "Forbidden: bot was kicked"), "failed", "failed"],
    ["409", answered(409, "Conflict: terminated"), "failed", "failed"],
    ["302", answered(302, "moved"), "failed", "failed"],
    ["refused connection", unanswered("ECONNREFUSED"), "retry", "retry"],
    ["unknown host", unanswered("ENOTFOUND"), "retry", "retry"],
    ["no connection in time", unanswered("UND_ERR_CONNECT_TIMEOUT"), "retry", "retry"],
    ["cut connection", unanswered("ECONNRESET"), "unknown", "retry"],
    ["a failure without a code", unanswered(), "unknown", "retry"],
    ["anything else", new TypeError("data is null"), "unknown", "retry"],
    ["no error at all", undefined, "unknown", "retry"],
  ])("%s: a send is %3$s, an edit %4$s", (_, error, send, edit) => {
    const fault = classifyError(error);
    expect(faultResult(fault, "once").status).toBe(send);
    expect(faultResult(fault, "again").status).toBe(edit);
  });

  it("passes on how long to wait", () => {
    const fault = classifyError(answered(429, "Too Many Requests", { retry_after: 7 }));
    expect(faultResult(fault, "once")).toMatchObject({ status: "retry", afterMs: 7000 });
  });

  it("looks through a loop of causes", () => {
    const error = new Error("a");
    error.cause = error;
    expect(classifyError(error).kind).toBe("lost");
  });

  it("says nothing of messages, addresses or what was sent", () => {
    for (const error of [unanswered("ECONNRESET"), unanswered("EPIPE"), answered(400, "no")]) {
      const shown = JSON.stringify([classifyError(error), refusalText(classifyError(error))]);
      expect(shown).not.toContain(token.slice(-10));
      expect(shown).not.toContain("private words");
      expect(shown).not.toContain("example.org");
    }
  });

  it("takes an answer that lacks everything for no answer", () => {
    const hollow = new GrammyError("failed", JSON.parse("{}"), "getMe", {});
    expect(classifyError(hollow)).toEqual({ kind: "lost", reason: "Telegram failed" });
  });
});
