import { describe, expect, it } from "vitest";
import type { OutboundPart } from "#contract/channel.ts";
import { sendContext } from "#test/contract/channel-rig.ts";
import type { SlackFailure } from "#test/doubles/slack-failure.ts";
import { channelId, partOf, threadRoute, threadTs, withSlack } from "./slack-rig.ts";

const rig = withSlack();
const bytes = crypto.getRandomValues(new Uint8Array(4000));
const media = { bytes, mimeType: "image/png", name: "stored.png" };
const readMedia = () => Promise.resolve(media);

function filePart(): OutboundPart {
  return partOf({
    media: [{ kind: "image", mediaKey: "m/1", mimeType: "image/png", name: "crab & co.png" }],
  });
}

const send = (context = sendContext({ readMedia })) =>
  rig().channel.send(filePart(), threadRoute, context);

describe("sending a file", () => {
  it("uploads the bytes and shares them in the thread", async () => {
    const context = sendContext({ readMedia });
    const result = await send(context);
    const [message] = rig().server.visible(channelId, threadTs);
    expect(message?.files).toMatchObject([{ name: "crab & co.png", size: 4000 }]);
    const [file] = rig().server.workspace.files.values();
    expect(result).toEqual({ status: "sent", messageId: file?.id });
    expect(Buffer.from(file?.bytes ?? []).equals(Buffer.from(bytes))).toBe(true);
    expect(context.claims).toBe(2);
  });

  it("sends the token nowhere but to the API", async () => {
    await send();
    const upload = rig().server.requests.find((request) => request.path.startsWith("/upload/"));
    expect(upload).toBeDefined();
    expect(upload?.headers.authorization).toBeUndefined();
  });

  it.each<[string, string, SlackFailure, string]>([
    ["asking fails", "files.getUploadURLExternal", { kind: "serverError" }, "retry"],
    ["asking is cut", "files.getUploadURLExternal", { kind: "cut", applied: true }, "retry"],
    [
      "asking is limited",
      "files.getUploadURLExternal",
      { kind: "rateLimited", retryAfter: 3 },
      "retry",
    ],
    [
      "asking is refused",
      "files.getUploadURLExternal",
      { kind: "error", code: "missing_scope" },
      "failed",
    ],
    ["the upload fails", "upload", { kind: "serverError" }, "retry"],
    ["the upload is cut", "upload", { kind: "cut", applied: true }, "retry"],
    ["the upload is refused", "upload", { kind: "proxy", status: 413, body: "no" }, "failed"],
    [
      "completing is cut",
      "files.completeUploadExternal",
      { kind: "cut", applied: true },
      "unknown",
    ],
    ["completing fails", "files.completeUploadExternal", { kind: "serverError" }, "unknown"],
    [
      "completing is refused",
      "files.completeUploadExternal",
      { kind: "error", code: "is_archived" },
      "failed",
    ],
  ])("knows what became of it when %s", async (_, method, failure, status) => {
    rig().server.fail(method, failure);
    expect((await send()).status).toBe(status);
    expect(rig().server.calls("files.completeUploadExternal").length).toBeLessThanOrEqual(1);
  });

  it("fails when the file is gone or empty", async () => {
    const gone = sendContext({ readMedia: () => Promise.resolve(null) });
    expect(await send(gone)).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("gone"),
    });
    const empty = sendContext({
      readMedia: () => Promise.resolve({ ...media, bytes: new Uint8Array() }),
    });
    expect((await send(empty)).status).toBe("failed");
    expect(rig().server.requests).toEqual([]);
  });

  it("stops between its steps once the runner was replaced", async () => {
    const claim = () => {
      throw new Error("replaced");
    };
    await expect(send(sendContext({ readMedia, claim }))).rejects.toThrow("replaced");
    expect(rig().server.requests).toHaveLength(1);
  });

  it("hands no bytes to a host that is not Slack's", async () => {
    const { server } = rig();
    const body = JSON.stringify({
      ok: true,
      upload_url: "https://files.slack.com.evil.example/u",
      file_id: "F1",
    });
    server.fail("files.getUploadURLExternal", { kind: "proxy", status: 200, body });
    expect(await send()).toMatchObject({ status: "failed" });
    expect(server.requests).toHaveLength(1);
  });
});
