import { describe, expect, it } from "vitest";
import type { OutboundMessage } from "#contract/message.ts";
import { sendContext } from "#test/contract/channel-rig.ts";
import { readableText } from "#test/doubles/slack-workspace.ts";
import {
  channelId,
  directId,
  directRoute,
  partOf,
  threadRoute,
  threadTs,
  withSlack,
} from "./slack-rig.ts";

const rig = withSlack();

async function post(message: Partial<OutboundMessage>): Promise<string> {
  const result = await rig().channel.send(partOf(message), directRoute, sendContext());
  if (result.status !== "sent") throw new Error(result.reason);
  return result.messageId;
}

const edit = (id: string, message: Partial<OutboundMessage>) =>
  rig().channel.edit?.(id, partOf(message), directRoute, sendContext());

const shown = () => rig().server.visible(directId).map(readableText);

describe("editing", () => {
  it("puts a long answer into the preview whole", async () => {
    const id = await post({ text: "…" });
    const text = Array.from({ length: 850 }, (_, index) => `wörd${index}`).join(" ");
    expect(text.length).toBeGreaterThan(6500);
    expect(await edit(id, { text })).toMatchObject({ status: "sent" });
    expect(shown().join(" ").replace(/\s+/g, " ")).toBe(text);
  });

  it("keeps to Slack's limit for the words in notifications, whatever they are made of", async () => {
    const id = await post({ text: "…" });
    for (const text of [
      "<&>".repeat(500),
      "語".repeat(2000),
      "😀".repeat(1500),
      `${"x".repeat(3894)} [l](https://example.org/long/path)`,
    ]) {
      expect(await edit(id, { text })).toMatchObject({ status: "sent" });
      const raw = rig().server.visible(directId)[0]?.text ?? "";
      expect(raw).not.toMatch(/\uFFFD|&[a-z]*…$|<[^>]*…$/);
    }
  });

  it("takes blocks away with a text that needs none", async () => {
    const id = await post({ text: "Allow?", buttons: [[{ label: "Yes", data: "a:1" }]] });
    expect(await edit(id, { text: "Allowed." })).toMatchObject({ status: "sent" });
    expect(rig().server.visible(directId)[0]).toMatchObject({ text: "Allowed.", blocks: [] });
  });

  it("keeps the mark of the first post", async () => {
    const id = await post({ text: "one" });
    const before = rig().server.visible(directId)[0]?.metadata;
    await edit(id, { text: "two" });
    expect(before).toBeDefined();
    expect(rig().server.visible(directId)[0]?.metadata).toEqual(before);
  });

  it("fails for a file, which cannot replace a message", async () => {
    const id = await post({ text: "one" });
    const media = [
      { kind: "file" as const, mediaKey: "m/1", mimeType: "text/plain", name: "a.txt" },
    ];
    expect(await edit(id, { media })).toMatchObject({ status: "failed" });
    expect(shown()).toEqual(["one"]);
  });

  it("tries again after what Slack calls possibly done", async () => {
    const id = await post({ text: "one" });
    for (const code of ["internal_error", "fatal_error", "service_unavailable"]) {
      rig().server.fail("chat.update", { kind: "error", code });
      expect(await edit(id, { text: "two" })).toMatchObject({ status: "retry" });
    }
  });
});

describe("removing", () => {
  it("is done when the message is gone already", async () => {
    const { channel } = rig();
    const id = await post({ text: "one" });
    rig().server.fail("chat.delete", { kind: "cut", applied: true });
    expect(await channel.remove?.(id, directRoute, sendContext())).toMatchObject({
      status: "retry",
    });
    expect(shown()).toEqual([]);
    expect(await channel.remove?.(id, directRoute, sendContext())).toMatchObject({
      status: "sent",
    });
  });

  it("does not touch other people's messages", async () => {
    const { channel, server } = rig();
    const { ts } = server.workspace.add({ channel: directId, user: "U0FAKE0001", text: "mine" });
    expect(await channel.remove?.(ts, directRoute, sendContext())).toMatchObject({
      status: "failed",
    });
  });
});

describe("the typing line", () => {
  it("is set in a thread of a direct chat only", async () => {
    const { channel, server } = rig();
    await channel.typing?.(directRoute);
    await channel.typing?.(threadRoute);
    expect(server.requests).toEqual([]);
    await channel.typing?.({ ...directRoute, thread: threadTs });
    expect(server.statuses).toEqual([
      { channel: directId, thread: threadTs, status: "is thinking…" },
    ]);
    server.fail("*", { kind: "error", code: "missing_scope" });
    await channel.typing?.({ ...directRoute, thread: threadTs });
    expect(server.visible(channelId)).toEqual([]);
  });
});
