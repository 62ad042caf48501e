import { SlackServer } from "#test/doubles/slack-server.ts";
import {
  commandBody,
  eventBody,
  messageBody,
  pressBody,
  signSlackBody,
  slackSignature,
  type SlackPressOptions,
  type SlackTextOptions,
} from "#test/doubles/slack-webhook.ts";
import { readableText, type SlackMessage } from "#test/doubles/slack-workspace.ts";
import type { Runtime } from "./runtime.ts";
import { eventually, type WaitOptions } from "./wait.ts";
import { newCode } from "./words.ts";

/** Slack as its people use it: signed events, commands and presses in, what channels show out. */
export interface SlackVars {
  readonly SLACK_BOT_TOKEN: string;
  readonly SLACK_SIGNING_SECRET: string;
}

type Words = Omit<SlackTextOptions, "ts"> & { readonly ts?: string };

export class SlackSide {
  readonly server: SlackServer;
  readonly vars: SlackVars;
  readonly owners = Array.from({ length: 30 }, () => `U0${newCode(8)}`);
  readonly #runtime: () => Runtime;
  #handedOut = 0;
  #micros = 0;

  constructor(runtime: () => Runtime) {
    this.#runtime = runtime;
    this.vars = {
      SLACK_BOT_TOKEN: `xoxb-${newCode(12)}-${newCode(20)}`,
      SLACK_SIGNING_SECRET: newCode(32).toLowerCase(),
    };
    this.server = new SlackServer({ token: this.vars.SLACK_BOT_TOKEN });
  }

  /** An owner nobody has been before, and their direct chat with the assistant. */
  owner(): { readonly user: string; readonly im: string } {
    const user = this.owners[this.#handedOut++];
    if (user === undefined) throw new Error("all owners are handed out");
    return { user, im: this.directChat(user) };
  }

  directChat(user: string, id = `D0${newCode(8)}`): string {
    this.server.workspace.addChannel({ id, user });
    return id;
  }

  channel(id = `C0${newCode(8)}`): string {
    this.server.workspace.addChannel({ id, name: id.toLowerCase() });
    return id;
  }

  /** A timestamp as Slack gives to messages, never the same twice. */
  newTs(): string {
    this.#micros = Math.max(this.#micros + 1, Date.now() * 1000);
    const digits = String(this.#micros);
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }

  /** Delivers a message event; returns its ts. */
  async say(words: Words): Promise<string> {
    const ts = words.ts ?? this.newTs();
    await this.deliver(messageBody({ eventId: `Ev0${newCode(10)}`, ...words, ts }));
    return ts;
  }

  /** Delivers any event in its envelope. */
  async event(event: Readonly<Record<string, unknown>>): Promise<void> {
    await this.deliver(eventBody(event, { eventId: `Ev0${newCode(10)}` }));
  }

  /** `/pagurus text`; returns what the person is told at once. */
  async slash(user: string, channel: string, text: string): Promise<string> {
    const { body, headers } = this.sign(
      commandBody({ user, channel, text, triggerId: `${newCode(12)}.${newCode(6)}` }),
    );
    const response = await this.post(body, headers);
    if (response.status !== 200) throw new Error(`the webhook said ${response.status}`);
    return response.text();
  }

  async press(options: Omit<SlackPressOptions, "actionTs">): Promise<void> {
    await this.deliver(pressBody({ ...options, actionTs: this.newTs() }));
  }

  sign(body: string, now = Date.now()): { body: string; headers: Record<string, string> } {
    const signed = signSlackBody(body, this.vars.SLACK_SIGNING_SECRET, now);
    return { body: signed.body, headers: { ...signed.headers } };
  }

  /** Signature headers for bytes that need not be text. */
  signature(body: string | Uint8Array, now = Date.now()): Record<string, string> {
    return slackSignature(body, this.vars.SLACK_SIGNING_SECRET, now);
  }

  /** Any body with any headers. */
  post(body: string | Uint8Array, headers: Readonly<Record<string, string>>): Promise<Response> {
    return this.#runtime().fetch("/webhooks/slack", {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : new Uint8Array(body),
    });
  }

  /** Signs a body, delivers it and insists on a 200. */
  async deliver(body: string): Promise<string> {
    const signed = this.sign(body);
    const response = await this.post(signed.body, signed.headers);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`the webhook said ${response.status}: ${text}`);
    return text;
  }

  /** Texts people read in a channel's main conversation, or in one thread. */
  visible(channel: string, thread?: string): string[] {
    return this.server.visible(channel, thread).map(readableText);
  }

  /** Waits until a text is shown, and gives the message. */
  async shows(
    place: { readonly channel: string; readonly thread?: string },
    text: string,
    options: WaitOptions = {},
  ): Promise<SlackMessage> {
    const { channel, thread } = place;
    const find = () =>
      this.server.visible(channel, thread).find((one) => readableText(one).includes(text));
    return eventually(find, { timeoutMs: 30_000, what: `"${text}" in ${channel}`, ...options });
  }
}
