import { describe, expect, it } from "vitest";
import type { OutboundMessage } from "#contract/message.ts";
import { firstPart, sendContext } from "#test/contract/channel-rig.ts";
import {
  channel,
  directRoute,
  groupId,
  groupRoute,
  personId,
  server,
  telegramForEachTest,
} from "./telegram-rig.ts";

telegramForEachTest();

function part(text: string, more: Partial<OutboundMessage> = {}) {
  return firstPart(channel.render({ kind: "final", text, ...more }, groupRoute));
}

async function post(text: string): Promise<string> {
  const result = await channel.send(part(text), groupRoute, sendContext());
  if (result.status !== "sent") throw new Error("not sent");
  return result.messageId;
}

describe("previews", () => {
  it("are drafts in direct chats and edited messages elsewhere", () => {
    expect(channel.previewMode?.(directRoute)).toBe("draft");
    expect(channel.previewMode?.(groupRoute)).toBe("edit");
    expect(channel.previewMode?.({ ...groupRoute, kind: "channel" })).toBe("edit");
  });

  it("become the answer, with its mark-up and buttons", async () => {
    const id = await post("thinking");
    const buttons = [[{ label: "More", data: "more" }]];
    await channel.edit?.(id, part("**done**", { buttons }), groupRoute, sendContext());
    expect(server.visible(groupId)).toMatchObject([
      { messageId: Number(id), text: "done", keyboard: [[{ text: "More" }]] },
    ]);
  });

  it("lose their buttons when the new text has none", async () => {
    const id = await post("thinking");
    const buttons = [[{ label: "Stop", data: "stop" }]];
    await channel.edit?.(id, part("still", { buttons }), groupRoute, sendContext());
    await channel.edit?.(id, part("done"), groupRoute, sendContext());
    expect(server.visible(groupId)).toMatchObject([{ text: "done", keyboard: undefined }]);
  });

  it("are edited once more as plain text when their mark-up is refused", async () => {
    const id = await post("thinking");
    server.fail("editMessageText", { kind: "cannotParse" });
    const context = sendContext();
    const result = await channel.edit?.(id, part("**done** <x>"), groupRoute, context);
    expect(result).toEqual({ status: "sent", messageId: id });
    expect(context.claims).toBe(1);
    expect(server.visible(groupId)).toMatchObject([{ text: "done <x>", parseMode: undefined }]);
  });

  it("cannot become a picture", async () => {
    const id = await post("thinking");
    const media = [{ kind: "image" as const, mediaKey: "m", mimeType: "image/png", name: "a.png" }];
    const result = await channel.edit?.(id, part("x", { media }), groupRoute, sendContext());
    expect(result?.status).toBe("failed");
    expect(server.edits).toEqual([]);
  });

  it("that cannot be removed any more are a failure", async () => {
    const id = await post("old");
    const description = "Bad Request: message can't be deleted";
    server.fail("deleteMessage", { kind: "refused", status: 400, description });
    expect(await channel.remove?.(id, groupRoute, sendContext())).toEqual({
      status: "failed",
      reason: "Telegram refused: message can't be deleted",
    });
  });
});

describe("drafts", () => {
  const draft = (text: string, route = directRoute) =>
    channel.draft?.(7, text, route, sendContext());

  it("show unfinished mark-up as far as it can be read, with a stop button", async () => {
    expect(await draft("**Peas** and *be")).toEqual({ status: "sent", messageId: "7" });
    expect(server.drafts).toEqual([
      { chatId: personId, draftId: 7, text: expect.stringMatching(/^Peas and \*?be$/) },
    ]);
    expect(server.calls("sendMessageDraft")[0]?.json).toMatchObject({ can_stop: true });
  });

  it("show the end of a text that is too long", async () => {
    const words = Array.from({ length: 1500 }, (_, index) => `word${index}`);
    await draft(words.join(" "));
    const [shown] = server.drafts;
    expect(shown?.text.length).toBeLessThanOrEqual(4096);
    expect(shown?.text.endsWith("word1499")).toBe(true);
  });

  it("show that the answer is being thought of when there is no text yet", async () => {
    expect(await draft("")).toMatchObject({ status: "sent" });
    expect(server.drafts).toMatchObject([{ text: "" }]);
  });

  it("may be repeated after any passing failure", async () => {
    for (const failure of [
      { kind: "serverError" as const },
      { kind: "cut" as const },
      { kind: "tooManyRequests" as const, retryAfter: 1 },
    ]) {
      server.fail("sendMessageDraft", failure);
      expect(await draft("x")).toMatchObject({ status: "retry" });
    }
  });

  it("do not exist in groups, nor on servers that do not know them", async () => {
    expect(await draft("x", groupRoute)).toMatchObject({ status: "failed" });
    expect(server.requests).toEqual([]);
    const description = "Not Found: method not found";
    server.fail("sendMessageDraft", { kind: "refused", status: 404, description });
    expect(await draft("x")).toEqual({
      status: "failed",
      reason: "Telegram refused: method not found",
    });
  });
});

describe("cosmetics", () => {
  it("acknowledge a button under the callback's id", async () => {
    await channel.acknowledgeAction?.({ deliveryId: "700100", platformMessageId: "4382918273" });
    expect(server.answers).toEqual([{ callbackQueryId: "4382918273" }]);
  });
});
