import { describe, expect, it } from "vitest";
import { channel, server, telegramForEachTest, token } from "./telegram-rig.ts";

const limit = 20 * 1024 * 1024;
telegramForEachTest();

describe("fetchAttachment", () => {
  it.each([
    ["photos/file_1.jpg", "image/jpeg"],
    ["voice/file_2.oga", "audio/ogg"],
    ["documents/Plan 2 ü.pdf", "application/pdf"],
    ["documents/archive.unknown", "application/octet-stream"],
    ["documents/toString", "application/octet-stream"],
  ])("downloads %s as %s", async (path, mimeType) => {
    const bytes = crypto.getRandomValues(new Uint8Array(5000));
    server.files.set("f", { path, bytes, declaredSize: bytes.length });
    expect(await channel.fetchAttachment?.("f")).toEqual({
      ok: true,
      value: { bytes, mimeType, name: path.split("/")[1] },
    });
  });

  it("refuses a file that is declared too large without downloading it", async () => {
    server.files.set("f", { path: "a/b", bytes: new Uint8Array(1), declaredSize: limit + 1 });
    expect(await channel.fetchAttachment?.("f")).toEqual({ ok: false, error: "larger than 20 MB" });
    expect(server.requests).toHaveLength(1);
  });

  it("stops reading a file that turns out to be too large", async () => {
    server.files.set("f", { path: "a/b", bytes: new Uint8Array(limit + 1) });
    // Not compared whole: a failure would print 20 MB.
    const result = await channel.fetchAttachment?.("f");
    expect(result?.ok === false && result.error).toBe("larger than 20 MB");
  });

  it("takes a file of exactly the limit", async () => {
    server.files.set("f", { path: "a/b", bytes: new Uint8Array(limit) });
    const result = await channel.fetchAttachment?.("f");
    expect(result?.ok === true && result.value.bytes.length).toBe(limit);
  });

  it.each(["/var/lib/bot/file", "../secret", "a/../../b", "a\\b"])(
    "does not ask for the path %j",
    async (path) => {
      server.files.set("f", { path, bytes: new Uint8Array(1) });
      expect(await channel.fetchAttachment?.("f")).toMatchObject({ ok: false });
      expect(server.requests).toHaveLength(1);
    },
  );

  // B79
  it("says what failed without the token or the address", async () => {
    server.files.set("f", { path: "a/b.jpg", bytes: new Uint8Array(10) });
    const failures = [
      { kind: "cut" as const },
      { kind: "serverError" as const },
      { kind: "proxy" as const, status: 404, body: `no /file/bot${token}/a/b.jpg` },
    ];
    for (const failure of failures) {
      server.fail("file", failure);
      const result = await channel.fetchAttachment?.("f");
      expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/^the download/) });
      expect(JSON.stringify(result)).not.toContain(token.slice(-12));
    }
    expect(await channel.fetchAttachment?.("nothing")).toEqual({
      ok: false,
      error: "wrong file_id or the file is temporarily unavailable",
    });
  });
});
