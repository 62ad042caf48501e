import { afterEach, beforeEach } from "vitest";
import type { Channel, OutboundPart, ParsedWebhook, WebhookRequest } from "#contract/channel.ts";
import type { OutboundMessage, ParsedMessage, ReplyRoute } from "#contract/message.ts";
import { createSlackChannel } from "#ext/slack/index.ts";
import { slackSettingsSchema } from "#ext/slack/settings.ts";
import { firstPart, suiteNow, testPorts } from "#test/contract/channel-rig.ts";
import { SlackServer } from "#test/doubles/slack-server.ts";
import { signSlackBody } from "#test/doubles/slack-webhook.ts";

/** Names, ids and a running double, shared by the Slack tests. */
export const token = `xoxb-0-FAKE-${crypto.randomUUID()}`;
export const signingSecret = `fake-signing-${crypto.randomUUID()}`;
export const owner = "U0FAKE0001";
export const botUser = "U0FAKEBOT1";
export const channelId = "C0FAKE0001";
export const directId = "D0FAKE0001";
export const threadTs = "1760000000.000100";
export const now = suiteNow;

export const directRoute: ReplyRoute = {
  channel: "slack",
  account: "default",
  conversation: directId,
  kind: "direct",
};

export const threadRoute: ReplyRoute = {
  channel: "slack",
  account: "default",
  conversation: channelId,
  kind: "channel",
  thread: threadTs,
};

export function newServer(scopes?: readonly string[]): SlackServer {
  return new SlackServer({
    token,
    now: () => now,
    ...(scopes !== undefined && { scopes }),
    channels: [
      { id: channelId, name: "general" },
      { id: directId, user: owner },
      { id: "C0FAKEFOR1", name: "foreign", joined: false },
    ],
  });
}

export function slackChannel(
  apiRoot: string,
  extra: Readonly<Record<string, unknown>> = {},
  ports = testPorts(),
): Channel {
  const settings = slackSettingsSchema.parse({ botToken: token, signingSecret, apiRoot, ...extra });
  return createSlackChannel("default", settings, ports);
}

export interface SlackRig {
  readonly server: SlackServer;
  readonly channel: Channel;
}

/** Declares a fresh double and channel for every test of the file. */
export function withSlack(): () => SlackRig {
  let rig: SlackRig | undefined;
  beforeEach(async () => {
    const server = newServer();
    await server.start();
    rig = { server, channel: slackChannel(server.apiRoot) };
  });
  afterEach(async () => {
    await rig?.server.stop();
  });
  return () => {
    if (rig === undefined) throw new Error("not started");
    return rig;
  };
}

export function request(body: string): WebhookRequest {
  const signed = signSlackBody(body, signingSecret, now);
  return { headers: new Headers(signed.headers), body: new TextEncoder().encode(body), now };
}

const offline = slackChannel("http://127.0.0.1:9/api");

export function parse(body: string, channel = offline): ParsedWebhook {
  const result = channel.parse(request(body));
  if (!result.ok) throw new Error("malformed");
  return result.value;
}

export function onlyMessage(parsed: ParsedWebhook): ParsedMessage {
  if (parsed.kind !== "messages") throw new Error(`no message but ${JSON.stringify(parsed)}`);
  const [message] = parsed.messages;
  if (message === undefined || parsed.messages.length !== 1) throw new Error("not one message");
  return message;
}

export function render(message: Partial<OutboundMessage>, route = directRoute): OutboundPart[] {
  return offline.render({ kind: "final", text: "", ...message }, route);
}

/** The first part of a message, which may have more. */
export function partOf(message: Partial<OutboundMessage>): OutboundPart {
  return firstPart(render(message));
}

/** The mrkdwn of a part. */
export function mrkdwnOf(part: OutboundPart | undefined): string {
  const text = part?.payload["text"];
  if (typeof text !== "string") throw new Error("not a text part");
  return text;
}
