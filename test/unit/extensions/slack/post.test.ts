import { describe, expect, it } from "vitest";
import { sendContext, testPorts } from "#test/contract/channel-rig.ts";
import type { SlackFailure } from "#test/doubles/slack-failure.ts";
import { readableText } from "#test/doubles/slack-workspace.ts";
import {
  channelId,
  directId,
  directRoute,
  owner,
  partOf,
  render,
  slackChannel,
  threadRoute,
  threadTs,
  withSlack,
} from "./slack-rig.ts";

const rig = withSlack();

const part = (text: string) => partOf({ text });
const buttonPart = () =>
  partOf({ text: "Allow *this*?", buttons: [[{ label: "Yes", data: "a:1" }]] });

function sentJson(index = 0): Record<string, unknown> {
  const json = rig().server.calls("chat.postMessage")[index]?.json;
  return typeof json === "object" && json !== null ? { ...json } : {};
}

describe("posting", () => {
  // B24
  it("goes to the id as it is spelled, into the thread, with our mark and without previews of links", async () => {
    const { channel, server } = rig();
    const context = sendContext({ deliveryId: "turn-7:final:0" });
    const result = await channel.send(part("see <https://example.org|x>"), threadRoute, context);
    const [message] = server.visible(channelId, threadTs);
    expect(result).toEqual({ status: "sent", messageId: message?.ts });
    expect(sentJson()).toEqual({
      channel: channelId,
      text: "see <https://example.org|x>",
      thread_ts: threadTs,
      parse: "none",
      unfurl_links: false,
      unfurl_media: false,
      metadata: { event_type: "pagurus_delivery", event_payload: { id: "turn-7:final:0" } },
    });
    const folded = { ...threadRoute, conversation: channelId.toLowerCase() };
    expect(await channel.send(part("x"), folded, context)).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("channel_not_found"),
    });
  });

  it("shows buttons under the text, whose values come back", async () => {
    const { channel, server } = rig();
    expect((await channel.send(buttonPart(), directRoute, sendContext())).status).toBe("sent");
    const [message] = server.visible(directId);
    expect(message && readableText(message)).toBe("Allow _this_?");
    expect(message?.blocks.at(-1)).toMatchObject({
      type: "actions",
      elements: [{ type: "button", value: "a:1", text: { type: "plain_text", text: "Yes" } }],
    });
  });

  it("fits labels into what Slack takes", async () => {
    const { channel } = rig();
    for (const label of ["", "x".repeat(76), "👩‍👩‍👧".repeat(30)]) {
      const [first] = render({ text: "?", buttons: [[{ label, data: "d" }]] });
      if (first === undefined) throw new Error("nothing");
      expect((await channel.send(first, directRoute, sendContext())).status).toBe("sent");
    }
  });

  it("goes on without a thread that is gone", async () => {
    const { channel, server } = rig();
    server.goneThreads.add(threadTs);
    const context = sendContext();
    expect((await channel.send(part("still here"), threadRoute, context)).status).toBe("sent");
    expect(server.visible(channelId).map(readableText)).toEqual(["still here"]);
    expect(context.claims).toBe(1);
  });

  it("goes on as text when Slack cannot read the blocks", async () => {
    const { channel, server } = rig();
    server.fail("chat.postMessage", { kind: "error", code: "invalid_blocks" });
    expect((await channel.send(buttonPart(), directRoute, sendContext())).status).toBe("sent");
    expect(server.visible(directId)[0]).toMatchObject({ text: "Allow _this_?", blocks: [] });
    server.fail("chat.postMessage", { kind: "error", code: "invalid_blocks" }, 2);
    expect((await channel.send(buttonPart(), directRoute, sendContext())).status).toBe("failed");
  });

  it("answers a slash command in the person's own chat where the bot is no member", async () => {
    const { channel, server } = rig();
    const route = { ...threadRoute, conversation: "C0FAKEFOR1", hints: { user: owner } };
    const result = await channel.send(part("here"), route, sendContext());
    expect(result).toMatchObject({ status: "sent", movedTo: { conversation: directId } });
    expect(server.visible(directId).map(readableText)).toEqual(["here"]);
    const { hints: _, ...stranger } = route;
    expect((await channel.send(part("here"), stranger, sendContext())).status).toBe("failed");
  });

  it("does nothing more once the runner was replaced", async () => {
    const { channel, server } = rig();
    server.goneThreads.add(threadTs);
    const claim = () => {
      throw new Error("replaced");
    };
    await expect(channel.send(part("x"), threadRoute, sendContext({ claim }))).rejects.toThrow(
      "replaced",
    );
    expect(server.calls("chat.postMessage")).toHaveLength(1);
  });
});

describe("what became of a post", () => {
  // B03
  it.each<[string, SlackFailure, object]>([
    ["429", { kind: "rateLimited", retryAfter: 2 }, { status: "retry", afterMs: 2000 }],
    ["429 without a time", { kind: "rateLimited" }, { status: "retry" }],
    [
      "ratelimited",
      { kind: "rateLimited", retryAfter: 7, status: 200 },
      { status: "retry", afterMs: 7000 },
    ],
    ["503", { kind: "serverError" }, { status: "unknown" }],
    [
      "500 after the effect",
      { kind: "serverError", status: 500, applied: true },
      { status: "unknown" },
    ],
    ["a cut", { kind: "cut" }, { status: "unknown" }],
    ["a cut after the effect", { kind: "cut", applied: true }, { status: "unknown" }],
    ["internal_error", { kind: "error", code: "internal_error" }, { status: "unknown" }],
    ["fatal_error", { kind: "error", code: "fatal_error" }, { status: "unknown" }],
    ["request_timeout", { kind: "error", code: "request_timeout" }, { status: "retry" }],
    [
      "a page instead of JSON",
      { kind: "proxy", status: 200, body: "<html>" },
      { status: "unknown" },
    ],
    ["a proxy's refusal", { kind: "proxy", status: 403, body: "<html>" }, { status: "failed" }],
    [
      "a redirect",
      { kind: "proxy", status: 307, body: "", location: "/signin" },
      { status: "failed" },
    ],
    [
      "missing_scope",
      { kind: "error", code: "missing_scope", needed: "chat:write" },
      {
        status: "failed",
        reason: "Slack refused: missing_scope, the app lacks a permission (chat:write)",
      },
    ],
    [
      "an odd code",
      { kind: "error", code: "<b>xoxb-1</b>" },
      { status: "failed", reason: "Slack refused the request" },
    ],
  ])("is told after %s, and nothing is posted twice", async (_, failure, expected) => {
    const { channel, server } = rig();
    server.fail("chat.postMessage", failure);
    const result = await channel.send(part("once"), directRoute, sendContext());
    expect(result).toMatchObject(expected);
    expect(server.calls("chat.postMessage")).toHaveLength(1);
  });

  it("is unknown when it was stopped under way", async () => {
    const { channel, server } = rig();
    const stop = new AbortController();
    server.gate = ({ phase }) => {
      if (phase === "applied") stop.abort();
    };
    const result = await channel.send(part("x"), directRoute, sendContext({ signal: stop.signal }));
    expect(result.status).toBe("unknown");
  });

  it("is a retry only when no byte can have left", async () => {
    const codes = [
      ["ECONNREFUSED", "retry"],
      ["ENOTFOUND", "retry"],
      ["ECONNRESET", "unknown"],
    ] as const;
    for (const [code, status] of codes) {
      const failing: typeof fetch = () => {
        const cause = Object.assign(new Error("connect"), { code });
        return Promise.reject(new TypeError("fetch failed", { cause }));
      };
      const channel = slackChannel("http://127.0.0.1:9/api", {}, testPorts([], failing));
      const result = await channel.send(part("x"), directRoute, sendContext());
      expect(result).toMatchObject({ status, reason: expect.stringContaining(code) });
    }
  });
});
