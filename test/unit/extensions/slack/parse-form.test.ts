import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandBody, pressBody } from "#test/doubles/slack-webhook.ts";
import {
  channelId,
  directId,
  now,
  onlyMessage,
  owner,
  parse,
  request,
  slackChannel,
} from "./slack-rig.ts";

const press = (options: Partial<Parameters<typeof pressBody>[0]> = {}) =>
  pressBody({
    channel: directId,
    user: owner,
    messageTs: "1760000100.000100",
    value: "approve:a1:once",
    actionTs: "1760000105.250000",
    label: "Allow & go",
    ...options,
  });

function interaction(change: (payload: Record<string, unknown>) => void): string {
  const payload = JSON.parse(new URLSearchParams(press()).get("payload") ?? "") as Record<
    string,
    unknown
  >;
  change(payload);
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

describe("a pressed button", () => {
  it("comes back as an action of the conversation it was posted in", () => {
    expect(onlyMessage(parse(press({ triggerId: "trig-1" })))).toEqual({
      channel: "slack",
      account: "default",
      route: {
        channel: "slack",
        account: "default",
        conversation: directId,
        kind: "direct",
        hints: { team: "T0FAKE0001" },
      },
      sender: { id: owner, name: "ada", username: "ada" },
      text: "Allow & go",
      action: "approve:a1:once",
      attachments: [],
      forwarded: false,
      mentionsSelf: true,
      deliveryId: "trig-1",
      platformMessageId: "press:1760000100.000100:1760000105.250000",
      sentAt: 1_760_000_105_250,
    });
  });

  it("belongs to the thread of its message, or to the main conversation", () => {
    const inThread = press({ channel: channelId, threadTs: "1760000000.000100" });
    expect(onlyMessage(parse(inThread)).route).toMatchObject({
      kind: "channel",
      thread: "1760000000.000100",
    });
    const head = press({ channel: channelId, threadTs: "1760000100.000100" });
    expect(onlyMessage(parse(head)).route.thread).toBeUndefined();
    expect(onlyMessage(parse(press({ channel: channelId }))).route.thread).toBeUndefined();
  });

  it("is another message each time it is pressed", () => {
    const again = onlyMessage(parse(press({ actionTs: "1760000106.000000" })));
    const first = onlyMessage(parse(press()));
    expect(again.deliveryId).not.toBe(first.deliveryId);
    expect(again.platformMessageId).not.toBe(first.platformMessageId);
  });

  it("keeps two actions of one payload apart", () => {
    const parsed = parse(
      interaction((payload) => {
        const [action] = payload["actions"] as Record<string, unknown>[];
        payload["actions"] = [action, { ...action, value: "second" }, { type: "button", url: "x" }];
      }),
    );
    if (parsed.kind !== "messages") throw new Error("no messages");
    expect(parsed.messages.map(({ action }) => action)).toEqual(["approve:a1:once", "second"]);
    expect(new Set(parsed.messages.map(({ deliveryId }) => deliveryId)).size).toBe(2);
  });

  it.each<[string, (payload: Record<string, unknown>) => void]>([
    ["another kind of interaction", (payload) => (payload["type"] = "view_submission")],
    ["no actions", (payload) => delete payload["actions"]],
    ["an action without a value", (payload) => (payload["actions"] = [{ action_id: "x" }])],
    [
      "no conversation",
      (payload) => {
        delete payload["channel"];
        delete payload["container"];
      },
    ],
  ])("is ignored with %s", (_, change) => {
    expect(parse(interaction(change)).kind).toBe("ignored");
  });
});

describe("a slash command", () => {
  const command = (text: string, channel = directId, channelName = "directmessage") =>
    commandBody({ channel, channelName, user: owner, text, triggerId: "13.37.abc" });

  it.each([
    ["help", "/help"],
    ["  model   claude ", "/model   claude"],
    ["/status", "/status"],
    ["", "/help"],
    ["remind me &amp; <@U0FAKE0002|grace>", "/remind me & @grace"],
  ])("turns `/pagurus %s` into %s", (text, expected) => {
    expect(onlyMessage(parse(command(text))).text).toBe(expected);
  });

  it("is a message of its own, acknowledged at once to the person alone", () => {
    const parsed = parse(command("status", channelId, "general"));
    expect(onlyMessage(parsed)).toMatchObject({
      title: "#general",
      sender: { id: owner, name: "ada", username: "ada" },
      route: {
        conversation: channelId,
        kind: "channel",
        hints: { team: "T0FAKE0001", user: owner },
      },
      deliveryId: "13.37.abc",
      platformMessageId: "command:13.37.abc",
      mentionsSelf: true,
      sentAt: now,
    });
    const response = parsed.kind === "messages" ? parsed.response : undefined;
    expect(response?.contentType).toBe("application/json");
    expect(JSON.parse(response?.body ?? "")).toMatchObject({ response_type: "ephemeral" });
  });

  it("has no title where the place has no name", () => {
    expect(onlyMessage(parse(command("status"))).title).toBeUndefined();
  });

  it("ignores Slack's certificate check and another workspace", () => {
    expect(parse("ssl_check=1&token=x").kind).toBe("ignored");
    const channel = slackChannel("http://127.0.0.1:9/api", { teamId: "T0FAKE0009" });
    expect(parse(command("help"), channel).kind).toBe("ignored");
    expect(parse(press(), channel).kind).toBe("ignored");
  });
});

describe("a form that is neither", () => {
  it.each([
    "token=x",
    "payload=",
    "payload=%7B",
    "payload=null",
    "payload=%5B%5D",
    "payload=%7B%22type%22%3A%22block_actions%22%7D",
    "command=pagurus&user_id=U1&channel_id=D1",
    "command=%2Fpagurus&user_id=&channel_id=D1",
    "command=%2Fpagurus&text=%00%ff%ZZ",
    "payload=%ff%fe&__proto__=x&constructor=y",
  ])("is malformed: %s", (body) => {
    expect(slackChannel("http://127.0.0.1:9/api").parse(request(body))).toEqual({
      ok: false,
      error: "malformed",
    });
  });
});

describe("any form", () => {
  const channel = slackChannel("http://127.0.0.1:9/api");
  const result = (body: string) => {
    const parsed = channel.parse(request(body));
    return parsed.ok ? parsed.value.kind : parsed.error;
  };

  it("gives a result, whatever its payload is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = new URLSearchParams({ payload: JSON.stringify(value) }).toString();
        expect(["malformed", "ignored"]).toContain(result(body));
      }),
    );
  });

  it("gives a result, whichever member of a press is odd", () => {
    const members = [
      "type",
      "user",
      "channel",
      "container",
      "message",
      "actions",
      "team",
      "trigger_id",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...members), fc.jsonValue(), (member, value) => {
        const body = interaction((payload) => (payload[member] = value));
        expect(["malformed", "ignored", "messages"]).toContain(result(body));
      }),
    );
  });

  it("gives a result for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
        expect(channel.parse({ headers, body, now }).ok).toBe(false);
      }),
    );
  });
});
