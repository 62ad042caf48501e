import { createHmac } from "node:crypto";

/**
 * Slack's side of the webhook: signed requests and the bodies of events, pressed buttons and slash
 * commands, in the shape Slack sends them. Every id can be chosen, none is checked.
 */
export interface SignedRequest {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Headers of Slack's v0 signature over exactly these bytes. `now` in milliseconds. */
export function slackSignature(
  body: string | Uint8Array,
  secret: string,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const mac = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex");
  return { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${mac}` };
}

/** A JSON event or, for anything with `payload` or `command` (a form), a form body, signed. */
export function signSlackBody(body: string, secret: string, now: number): SignedRequest {
  const isForm = /^(?:payload|command|token|ssl_check)=/.test(body);
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  return { body, headers: { "content-type": type, ...slackSignature(body, secret, now) } };
}

/** Sends a body to a Worker's webhook, signed, as Slack does. `now` in milliseconds. */
export function postSlackBody(
  url: string,
  body: string,
  secret: string,
  now: number = Date.now(),
): Promise<Response> {
  return fetch(url, { method: "POST", ...signSlackBody(body, secret, now) });
}

export interface SlackEventOptions {
  readonly eventId?: string;
  readonly teamId?: string;
  /** Null leaves the authorizations out. */
  readonly botUserId?: string | null;
}

let counter = 0;

/** An Events API envelope around an event. */
export function eventBody(
  event: Readonly<Record<string, unknown>>,
  options: SlackEventOptions = {},
): string {
  const team = options.teamId ?? "T0FAKE0001";
  const bot = options.botUserId === undefined ? "U0FAKEBOT1" : options.botUserId;
  return JSON.stringify({
    token: "unused",
    team_id: team,
    api_app_id: "A0FAKE0001",
    event,
    type: "event_callback",
    event_id: options.eventId ?? `Ev0FAKE${String(++counter).padStart(4, "0")}`,
    event_time: 1_760_000_000,
    ...(bot !== null && {
      authorizations: [
        {
          enterprise_id: null,
          team_id: team,
          user_id: bot,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
    }),
    is_ext_shared_channel: false,
  });
}

export interface SlackTextOptions extends SlackEventOptions {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly type?: "message" | "app_mention";
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A person's message. `channel_type` is left out of mentions, as Slack does. */
export function messageBody(options: SlackTextOptions): string {
  const { channel, ts, type = "message" } = options;
  const event = {
    type,
    user: options.user,
    text: options.text,
    ts,
    channel,
    event_ts: ts,
    ...(options.threadTs !== undefined && { thread_ts: options.threadTs }),
    ...(type === "message" && { channel_type: channel.startsWith("D") ? "im" : "channel" }),
    ...options.extra,
  };
  return eventBody(event, options);
}

export interface SlackPressOptions {
  readonly channel: string;
  readonly user: string;
  readonly messageTs: string;
  readonly value: string;
  readonly actionTs: string;
  readonly label?: string;
  readonly threadTs?: string;
  readonly triggerId?: string;
}

/** A pressed button, as a form body. */
export function pressBody(options: SlackPressOptions): string {
  const thread = options.threadTs !== undefined && { thread_ts: options.threadTs };
  const payload = {
    type: "block_actions",
    user: { id: options.user, username: "ada", name: "ada", team_id: "T0FAKE0001" },
    api_app_id: "A0FAKE0001",
    token: "unused",
    container: {
      type: "message",
      message_ts: options.messageTs,
      channel_id: options.channel,
      is_ephemeral: false,
      ...thread,
    },
    trigger_id: options.triggerId ?? `${options.actionTs}.trigger`,
    team: { id: "T0FAKE0001", domain: "sample" },
    enterprise: null,
    channel: { id: options.channel, name: "general" },
    message: { type: "message", ts: options.messageTs, user: "U0FAKEBOT1", ...thread },
    response_url: "https://hooks.slack.com/actions/unused",
    actions: [
      {
        action_id: "pagurus:0:0",
        block_id: "abc",
        text: { type: "plain_text", text: options.label ?? "Yes", emoji: true },
        value: options.value,
        type: "button",
        action_ts: options.actionTs,
      },
    ],
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

export interface SlackCommandOptions {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly triggerId: string;
  readonly channelName?: string;
}

/** A slash command, as a form body. */
export function commandBody(options: SlackCommandOptions): string {
  return new URLSearchParams({
    command: "/pagurus",
    text: options.text,
    token: "unused",
    team_id: "T0FAKE0001",
    team_domain: "sample",
    channel_id: options.channel,
    channel_name: options.channelName ?? "general",
    user_id: options.user,
    user_name: "ada",
    api_app_id: "A0FAKE0001",
    response_url: "https://hooks.slack.com/commands/unused",
    trigger_id: options.triggerId,
  }).toString();
}
