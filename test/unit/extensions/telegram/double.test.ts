import { describe, expect, it } from "vitest";
import { parseTelegramHtml } from "#test/doubles/telegram-html.ts";
import {
  botUserId,
  forumId,
  newServer,
  personId,
  server,
  telegramForEachTest,
  token,
} from "./telegram-rig.ts";

/** The double refuses what Telegram refuses: else the tests above it would prove nothing. */
telegramForEachTest();

async function call(method: string, body: object, bot = token): Promise<unknown> {
  const response = await fetch(`${server.url}/bot${bot}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.json();
}

function refusal(error_code: number, description: string) {
  return { ok: false, error_code, description };
}

describe("parseTelegramHtml", () => {
  it.each([
    ["<b>x", `Can't find end tag corresponding to start tag "b"`],
    ["x</b>", "Unexpected end tag at byte offset 1"],
    ["ä<b><i>x</b></i>", `Unmatched end tag at byte offset 9, expected "</i>", found "</b>"`],
    ["<p>x</p>", `Unsupported start tag "p" at byte offset 0`],
    ["a < b", `Unsupported start tag "" at byte offset 2`],
    ['<a href="x', "Unclosed start tag at byte offset 0"],
    ["<span>x</span>", `Tag "span" must have class "tg-spoiler" at byte offset 0`],
  ])("refuses %s", (html, error) => {
    expect(parseTelegramHtml(html)).toEqual({ ok: false, error });
  });

  it("reads tags, attributes and entities", () => {
    const html = `<a href="https://example.org/?a&amp;b">1 &lt; 2</a> &amp;&#33;&#x1F331;&nope; > <pre><code class="language-ts">x</code></pre>`;
    expect(parseTelegramHtml(html)).toMatchObject({ ok: true, text: "1 < 2 &!🌱&nope; > x" });
  });
});

describe("TelegramServer", () => {
  it.each([
    ["an unknown chat", { chat_id: 12, text: "x" }, "chat not found"],
    ["an empty text", { chat_id: personId, text: " \n" }, "message text is empty"],
    ["a long text", { chat_id: personId, text: "x".repeat(4097) }, "message is too long"],
    ["thread 1", { chat_id: forumId, text: "x", message_thread_id: 1 }, "message thread not found"],
    [
      "a missing topic",
      { chat_id: forumId, text: "x", message_thread_id: 9 },
      "message thread not found",
    ],
    [
      "broken mark-up",
      { chat_id: personId, text: "<b>x", parse_mode: "HTML" },
      `can't parse entities: Can't find end tag corresponding to start tag "b"`,
    ],
  ])("refuses %s", async (_, body, description) => {
    expect(await call("sendMessage", body)).toEqual(refusal(400, `Bad Request: ${description}`));
    expect(server.visible(personId)).toEqual([]);
  });

  it("counts the length after entities are read", async () => {
    const text = "&amp;".repeat(4096);
    const body = { chat_id: personId, text, parse_mode: "HTML" };
    expect(await call("sendMessage", body)).toMatchObject({ ok: true });
  });

  it("tells a wrong token from a malformed one", async () => {
    expect(await call("getMe", {}, `${botUserId}:wrong-but-well-formed`)).toEqual(
      refusal(401, "Unauthorized"),
    );
    expect(await call("getMe", {}, "nonsense")).toEqual(refusal(404, "Not Found"));
    expect(await call("getEverything", {})).toMatchObject({ ok: false, error_code: 404 });
  });

  it("refuses an edit that changes nothing, and one of nothing", async () => {
    await call("sendMessage", { chat_id: personId, text: "x" });
    const message_id = server.visible(personId)[0]?.messageId;
    const same = await call("editMessageText", { chat_id: personId, message_id, text: "x" });
    expect(same).toMatchObject({ description: expect.stringContaining("message is not modified") });
    const none = await call("editMessageText", { chat_id: personId, message_id: 1, text: "x" });
    expect(none).toEqual(refusal(400, "Bad Request: message to edit not found"));
  });

  it("refuses a long caption and a file that is not there", async () => {
    const form = new FormData();
    form.set("chat_id", String(personId));
    form.set("photo", new Blob([new Uint8Array(10)]), "a.png");
    form.set("caption", "x".repeat(1025));
    const url = `${server.url}/bot${token}/sendPhoto`;
    const long = await fetch(url, { method: "POST", body: form });
    expect(await long.json()).toEqual(refusal(400, "Bad Request: message caption is too long"));
    const bare = await call("sendPhoto", { chat_id: personId, photo: "attach://none" });
    expect(bare).toEqual(refusal(400, "Bad Request: there is no photo in the request"));
  });

  it("makes the effect of a cut connection only when told to", async () => {
    server.fail("sendMessage", { kind: "cut" });
    server.fail("sendMessage", { kind: "cut", applied: true });
    for (const text of ["lost", "arrived"]) {
      await expect(call("sendMessage", { chat_id: personId, text })).rejects.toThrow();
    }
    expect(server.visible(personId).map((message) => message.text)).toEqual(["arrived"]);
  });

  it("pushes updates to the registered webhook with its secret", async () => {
    const receiver = newServer();
    const url = await receiver.start();
    await call("setWebhook", { url: `${url}/hook`, secret_token: "abc" });
    expect(server.webhook).toBeUndefined();
    await server.push({ update_id: 1 }, { url: `${url}/hook`, secret: "abc" });
    expect(receiver.requests[0]?.headers["x-telegram-bot-api-secret-token"]).toBe("abc");
    expect(receiver.requests[0]?.json).toEqual({ update_id: 1 });
    await receiver.stop();
  });
});
