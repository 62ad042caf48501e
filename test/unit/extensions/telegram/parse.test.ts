import type { Update } from "grammy/types";
import { describe, expect, it } from "vitest";
import { updateSchema } from "#ext/telegram/update-schema.ts";
import { fixtureMessage, fixtureNow, fixtureText, parseFixture, parseText } from "./fixture.ts";

const ada = { id: "111000111", name: "Ada Example", username: "ada_example" };

describe("parseTelegram", () => {
  it("reads a direct text message", () => {
    expect(fixtureMessage("text")).toEqual({
      channel: "telegram",
      account: "default",
      route: { channel: "telegram", account: "default", conversation: "111000111", kind: "direct" },
      sender: ada,
      text: "ping",
      attachments: [],
      forwarded: false,
      mentionsSelf: true,
      deliveryId: "700001",
      platformMessageId: "41",
      sentAt: 1_760_000_000_000,
    });
  });

  // B01
  it("gives the same message under another update id only another delivery id", () => {
    const update: unknown = JSON.parse(fixtureText("text"));
    const again = parseText(JSON.stringify({ ...(update as object), update_id: 700_002 }));
    expect(again).toEqual({
      kind: "messages",
      messages: [{ ...fixtureMessage("text"), deliveryId: "700002" }],
    });
  });

  // B15, and the relatives of B19
  it.each([
    ["edited-message", "edit"],
    ["edited-channel-post", "edit"],
    ["reaction", "reaction"],
    ["membership", "membership"],
    ["business-message", "business"],
    ["poll-answer", "unsupported update"],
    ["new-members", "service message"],
    ["own-message", "own message"],
    ["button-inline", "button outside a chat"],
  ])("takes no message from %s", (name, reason) => {
    expect(parseFixture(name)).toEqual({ kind: "ignored", reason });
  });

  it.each(["migrated-to", "migrated-from"])("reads from %s which id became which", (name) => {
    expect(parseFixture(name)).toEqual({ kind: "moved", from: "-500100", to: "-1009990004" });
  });

  it("reads a channel's post as the channel's words", () => {
    expect(fixtureMessage("channel-post")).toMatchObject({
      route: { conversation: "-1009990003", kind: "channel" },
      title: "Bulletin",
      sender: { id: "-1009990003", name: "E. Ditor", username: "bulletin_example" },
      text: "Issue 12 is out",
      mentionsSelf: false,
    });
  });

  it("does not take an anonymous admin or a linked channel for a person", () => {
    expect(fixtureMessage("anonymous-admin").sender.id).toBe("-1009990001");
    const linked = fixtureMessage("linked-channel");
    expect(linked.sender.id).toBe("-1009990003");
    expect(linked.forwarded).toBe(true);
  });

  it("answers in groups quote what they answer, in direct chats they do not", () => {
    expect(fixtureMessage("group-plain").route).toEqual({
      channel: "telegram",
      account: "default",
      conversation: "-1009990001",
      kind: "group",
      replyToMessageId: "41",
    });
    expect(fixtureMessage("text").route.replyToMessageId).toBeUndefined();
  });

  it("marks forwarded words as somebody else's", () => {
    expect(fixtureMessage("forwarded")).toMatchObject({ forwarded: true, sender: ada });
  });

  // B10
  it("gives each topic its own thread, the General topic the thread 1", () => {
    expect(fixtureMessage("forum-general").route.thread).toBe("1");
    expect(fixtureMessage("forum-general-bare").route.thread).toBe("1");
    expect(fixtureMessage("forum-topic").route.thread).toBe("285");
  });

  it("does not take a reply chain outside a forum for a topic", () => {
    expect(fixtureMessage("group-thread-of-replies").route.thread).toBeUndefined();
  });

  it("does not take the notice that opened a topic for a quoted message", () => {
    const message = fixtureMessage("forum-topic");
    expect(message.replyTo).toBeUndefined();
    expect(message.mentionsSelf).toBe(false);
  });

  it("counts a reply to the bot as a mention and keeps the quoted words", () => {
    expect(fixtureMessage("group-reply-to-bot")).toMatchObject({
      mentionsSelf: true,
      replyTo: { messageId: "88", text: "Tomorrow: compost.", fromSelf: true },
    });
  });

  // B13
  it("gives the messages of an album one id and keeps each caption with its picture", () => {
    const album = ["album-2", "album-1", "album-3"].map((name) => fixtureMessage(name));
    expect(album.map((message) => message.albumId)).toEqual(["mg-1", "mg-1", "mg-1"]);
    expect(album.map((message) => message.platformMessageId)).toEqual(["52", "51", "53"]);
    expect(album.map((message) => message.text)).toEqual(["", "before", "after"]);
    expect(album.map((message) => message.attachments[0]?.caption)).toEqual([
      undefined,
      "before",
      "after",
    ]);
  });

  it("reads a pressed button as an action under the id that must be acknowledged", () => {
    expect(fixtureMessage("button")).toEqual({
      channel: "telegram",
      account: "default",
      route: {
        channel: "telegram",
        account: "default",
        conversation: "-1009990002",
        kind: "group",
        thread: "285",
      },
      sender: ada,
      text: "Allow once",
      attachments: [],
      forwarded: false,
      mentionsSelf: true,
      deliveryId: "700100",
      platformMessageId: "4382918273",
      action: "approve:a1b2:once",
      sentAt: fixtureNow,
    });
  });

  it("reads a button below a message too old to be shown", () => {
    expect(fixtureMessage("button-old-message")).toMatchObject({
      action: "again",
      text: "",
      route: { conversation: "111000111", kind: "direct" },
    });
  });

  it("reads the stop button of a draft as /stop", () => {
    const message = fixtureMessage("stopped-generation");
    expect(message).toMatchObject({ text: "/stop", sender: ada, deliveryId: "700103" });
    expect(message.action).toBeUndefined();
    expect(message.route).toEqual(fixtureMessage("text").route);
  });

  it("uses the account's name", () => {
    const message = fixtureMessage("text", { account: "work" });
    expect([message.account, message.route.account]).toEqual(["work", "work"]);
  });

  it("does not let an update of unknown shape hold back those behind it", () => {
    for (const message of [{}, 7, { message_id: 1, date: 0, chat: { id: 1, type: "planet" } }]) {
      const update = JSON.stringify({ update_id: 5, message });
      expect(parseText(update)).toEqual({ kind: "ignored", reason: "unreadable update" });
    }
  });

  it("understands what grammY's types call an update", () => {
    const readable = (update: Update): Parameters<typeof updateSchema.parse>[0] => update;
    expect(updateSchema.safeParse(readable({ update_id: 1 })).success).toBe(true);
  });
});
