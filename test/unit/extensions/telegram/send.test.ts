import { describe, expect, it } from "vitest";
import type { FetchedMedia } from "#contract/channel.ts";
import type { OutboundMedia, OutboundMessage, ReplyRoute } from "#contract/message.ts";
import { firstPart, sendContext, testPorts } from "#test/contract/channel-rig.ts";
import {
  channel,
  directRoute,
  forumId,
  groupId,
  groupRoute,
  newChannel,
  newServer,
  personId,
  server,
  telegramForEachTest,
  topicRoute,
} from "./telegram-rig.ts";

telegramForEachTest();

const bytes = new Map<string, FetchedMedia>();

function file(kind: OutboundMedia["kind"], mimeType: string, size = 2000): OutboundMedia {
  const mediaKey = `media/${crypto.randomUUID()}`;
  const content = new Uint8Array(size).fill(size % 251);
  bytes.set(mediaKey, { bytes: content, mimeType, name: "stored" });
  return { kind, mediaKey, mimeType, name: `a name; with "quotes" ü.${mimeType.split("/")[1]}` };
}

function context(overrides: Parameters<typeof sendContext>[0] = {}) {
  return sendContext({
    readMedia: (mediaKey) => Promise.resolve(bytes.get(mediaKey) ?? null),
    ...overrides,
  });
}

async function sendAll(
  message: Partial<OutboundMessage>,
  route: ReplyRoute = directRoute,
  sending = context(),
) {
  const results = [];
  for (const part of channel.render({ kind: "final", text: "", ...message }, route)) {
    results.push(await channel.send(part, route, sending));
  }
  return results;
}

function parameters(method: string): unknown[] {
  return server.calls(method).map((request) => request.json);
}

describe("sending text", () => {
  it("sends mark-up, buttons and a quoted message", async () => {
    const route = { ...groupRoute, replyToMessageId: "41" };
    const buttons = [[{ label: "Yes", data: "yes" }]];
    await sendAll({ text: "**hi** <there>", buttons }, route);
    expect(server.visible(groupId)).toMatchObject([
      {
        text: "hi <there>",
        raw: "<b>hi</b> &lt;there&gt;",
        replyTo: 41,
        keyboard: [[{ text: "Yes", callback_data: "yes" }]],
      },
    ]);
  });

  it("sends even when the quoted message is gone", async () => {
    const results = await sendAll({ text: "hi" }, { ...groupRoute, replyToMessageId: "99999" });
    expect(results).toMatchObject([{ status: "sent" }]);
  });

  // B10
  it("leaves out the thread of the General topic and sends that of others", async () => {
    await sendAll({ text: "one" }, topicRoute("1"));
    await sendAll({ text: "two" }, topicRoute("285"));
    const [general, topic] = parameters("sendMessage");
    expect(general).not.toHaveProperty("message_thread_id");
    expect(topic).toMatchObject({ message_thread_id: 285 });
    await channel.typing?.(topicRoute("285"));
    await channel.typing?.(topicRoute("1"));
    expect(server.actions).toEqual([
      { chatId: forumId, action: "typing", thread: 285 },
      { chatId: forumId, action: "typing" },
    ]);
  });

  // B11
  it("sends once more without a topic that is gone", async () => {
    server.fail("sendMessage", { kind: "threadNotFound" });
    const sending = context();
    const [result] = await sendAll({ text: "still here" }, topicRoute("285"), sending);
    expect(result).toMatchObject({ status: "sent" });
    expect(
      parameters("sendMessage").map((body) => Reflect.get(Object(body), "message_thread_id")),
    ).toEqual([285, undefined]);
    expect(server.visible(forumId).map((message) => message.text)).toEqual(["still here"]);
    expect(sending.claims).toBe(1);
  });

  // B09
  it("sends mark-up that is refused once more as plain text, and only once", async () => {
    const text = "From: **Pat Doe** <pat.doe@example.org> & co";
    server.fail("sendMessage", { kind: "cannotParse" });
    expect(await sendAll({ text })).toMatchObject([{ status: "sent" }]);
    const [first, second] = parameters("sendMessage");
    expect(first).toMatchObject({
      text: "From: <b>Pat Doe</b> &lt;pat.doe@example.org&gt; &amp; co",
      parse_mode: "HTML",
    });
    expect(second).toMatchObject({ text: "From: Pat Doe <pat.doe@example.org> & co" });
    expect(second).not.toHaveProperty("parse_mode");
    server.fail("sendMessage", { kind: "cannotParse" }, 2);
    expect(await sendAll({ text })).toMatchObject([{ status: "failed" }]);
    expect(server.calls("sendMessage")).toHaveLength(4);
  });

  // B09
  it.each([
    [{ kind: "blocked" as const }, "Telegram refused: the bot was blocked by the user"],
    [{ kind: "chatNotFound" as const }, "Telegram refused: chat not found"],
    [
      { kind: "refused" as const, status: 401, description: "Unauthorized" },
      "Telegram refused: the bot token is not valid",
    ],
    [
      { kind: "proxy" as const, status: 413, body: "<html>Too Large</html>" },
      "Telegram refused: HTTP 413 without an answer of Telegram",
    ],
  ])("does not repeat %j", async (failure, reason) => {
    server.fail("sendMessage", failure);
    expect(await sendAll({ text: "**x**" })).toEqual([{ status: "failed", reason }]);
    expect(server.calls("sendMessage")).toHaveLength(1);
  });

  it("follows a group that became a supergroup and says where it is now", async () => {
    const movedId = -1_009_990_000_000 - (Math.abs(groupId) % 100_000);
    server.chats.add({ id: movedId, type: "supergroup", title: "Allotment" });
    server.fail("sendMessage", { kind: "migrated", to: movedId });
    const sending = context();
    const [result] = await sendAll({ text: "moved along" }, groupRoute, sending);
    expect(result).toMatchObject({
      status: "sent",
      movedTo: { conversation: String(movedId) },
    });
    expect(server.visible(movedId).map((message) => message.text)).toEqual(["moved along"]);
    expect(sending.claims).toBe(1);
  });

  it("stops following when it is led round in a circle", async () => {
    server.fail("sendMessage", { kind: "migrated", to: groupId }, 5);
    expect(await sendAll({ text: "x" }, groupRoute)).toMatchObject([{ status: "failed" }]);
    expect(server.calls("sendMessage")).toHaveLength(1);
  });

  it("makes no further request once another runner has taken over", async () => {
    server.fail("sendMessage", { kind: "cannotParse" });
    const replaced = context({
      claim: () => {
        throw new Error("replaced");
      },
    });
    await expect(sendAll({ text: "**x**" }, directRoute, replaced)).rejects.toThrow("replaced");
    expect(server.calls("sendMessage")).toHaveLength(1);
  });

  it("calls an answer without an id, or one nobody can read, unknown", async () => {
    for (const body of ["<html>fine</html>", '{"ok":true,"result":true}', "null", "{}"]) {
      server.fail("sendMessage", { kind: "proxy", status: 200, body });
      expect(await sendAll({ text: "x" })).toMatchObject([{ status: "unknown" }]);
    }
  });

  it("calls a send that was stopped in flight unknown", async () => {
    const stop = new AbortController();
    server.fail("sendMessage", { kind: "hang", applied: true });
    server.gate = ({ phase }) => {
      if (phase === "received") stop.abort();
    };
    const results = await sendAll({ text: "x" }, directRoute, context({ signal: stop.signal }));
    expect(results).toMatchObject([{ status: "unknown" }]);
  });

  it("does not follow a redirect", async () => {
    const elsewhere = newServer();
    const target = await elsewhere.start();
    const moved: typeof fetch = (input, init) =>
      init?.redirect === "manual"
        ? Promise.resolve(Response.redirect(`${target}/x`, 307))
        : fetch(input, init);
    const redirected = newChannel(server.url, { ports: testPorts([], moved) });
    const part = firstPart(redirected.render({ kind: "final", text: "x" }, directRoute));
    const result = await redirected.send(part, directRoute, context());
    expect(result.status).toBe("failed");
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });
});

describe("sending files", () => {
  it.each([
    ["image", "image/png", "sendPhoto", "photo"],
    ["image", "image/svg+xml", "sendDocument", "document"],
    ["video", "video/mp4", "sendVideo", "video"],
    ["audio", "audio/ogg", "sendVoice", "voice"],
    ["audio", "audio/mpeg", "sendAudio", "audio"],
    ["file", "application/pdf", "sendDocument", "document"],
  ] as const)("sends %s %s by %s", async (kind, mimeType, method, type) => {
    const media = file(kind, mimeType);
    const sending = context();
    expect(await sendAll({ text: "**look**", media: [media] }, directRoute, sending)).toMatchObject(
      [{ status: "sent" }],
    );
    const [message] = server.visible(personId);
    expect(message).toMatchObject({ method, text: "look" });
    expect(message?.media).toMatchObject([{ type, bytes: bytes.get(media.mediaKey)?.bytes }]);
    expect(message?.media[0]?.name).toMatch(/^a name_ with _quotes_ ü\./);
    expect(sending.claims).toBe(1);
  });

  it("sends pictures as one album", async () => {
    const media = [file("image", "image/png"), file("video", "video/mp4")];
    expect(await sendAll({ text: "both", media })).toMatchObject([{ status: "sent" }]);
    const [first, second] = server.visible(personId);
    expect(first?.albumId).toBe(second?.albumId);
    expect([first?.text, second?.text]).toEqual(["both", ""]);
    expect([first?.media[0]?.type, second?.media[0]?.type]).toEqual(["photo", "video"]);
  });

  // B14
  it("sends a picture and then its long text, all of it, in the same topic", async () => {
    const text = Array.from({ length: 300 }, (_, index) => `w${1000 + index}`).join(" ");
    await sendAll({ text, media: [file("image", "image/jpeg")] }, topicRoute("285"));
    const seen = server.visible(forumId);
    expect(seen.map((message) => message.method)).toEqual(["sendPhoto", "sendMessage"]);
    expect(seen.map((message) => message.thread)).toEqual([285, 285]);
    expect(seen.map((message) => message.text).join("")).toBe(text);
  });

  // B11
  it("sends a picture once more without a topic that is gone", async () => {
    server.fail("sendPhoto", { kind: "threadNotFound" });
    const media = [file("image", "image/png")];
    expect(await sendAll({ media }, topicRoute("285"))).toMatchObject([{ status: "sent" }]);
    expect(server.calls("sendPhoto")).toHaveLength(2);
    expect(server.visible(forumId)).toMatchObject([{ thread: undefined }]);
  });

  it("sends a caption that is refused once more as plain text", async () => {
    server.fail("sendPhoto", { kind: "cannotParse" });
    await sendAll({ text: "a **b**", media: [file("image", "image/png")] });
    expect(server.visible(personId)).toMatchObject([{ text: "a b", parseMode: undefined }]);
  });

  it("sends a picture Telegram cannot show as a file", async () => {
    const description = "Bad Request: PHOTO_INVALID_DIMENSIONS";
    server.fail("sendPhoto", { kind: "refused", status: 400, description });
    await sendAll({ text: "wide", media: [file("image", "image/png")] });
    expect(server.visible(personId)).toMatchObject([{ method: "sendDocument", text: "wide" }]);
  });

  it("sends a picture over 10 MB as a file, and refuses a file over 50 MB", async () => {
    await sendAll({ media: [file("image", "image/png", 10 * 1024 * 1024 + 1)] });
    expect(server.visible(personId)).toMatchObject([{ method: "sendDocument" }]);
    const huge = file("file", "application/zip", 50 * 1024 * 1024 + 1);
    const [result] = await sendAll({ media: [huge] });
    expect(result).toMatchObject({ status: "failed", reason: expect.stringContaining("50 MB") });
  });

  it("keeps the words when the file is gone", async () => {
    const gone = { ...file("image", "image/png"), mediaKey: "media/gone" };
    expect(await sendAll({ text: "the words", media: [gone] })).toMatchObject([{ status: "sent" }]);
    expect(server.visible(personId).map((message) => message.text)).toEqual(["the words"]);
    expect(await sendAll({ media: [gone] })).toEqual([
      { status: "failed", reason: "the file is no longer stored" },
    ]);
  });

  it("asks for a retry when a stored file cannot be read just now", async () => {
    const failing = context({ readMedia: () => Promise.reject(new Error("storage is down")) });
    const sent = sendAll({ media: [file("image", "image/png")] }, directRoute, failing);
    expect(await sent).toMatchObject([{ status: "retry" }]);
    expect(server.requests).toEqual([]);
  });

  it("does not repeat an upload whose outcome is unknown", async () => {
    server.fail("sendPhoto", { kind: "cut", applied: true });
    const sent = await sendAll({ media: [file("image", "image/png")] });
    expect(sent).toMatchObject([{ status: "unknown" }]);
    expect(server.calls("sendPhoto")).toHaveLength(1);
  });
});
