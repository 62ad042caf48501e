import { randomInt } from "node:crypto";
import { afterEach, beforeEach } from "vitest";
import { telegram } from "#ext/telegram/index.ts";
import type { Channel } from "#contract/channel.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { ReplyRoute } from "#contract/message.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import { TelegramServer } from "#test/doubles/telegram-server.ts";

/** What the Telegram tests share: an account against a double whose ids are made up at run time. */
export const token = `${randomInt(100_000_000, 999_999_999)}:FAKE-TOKEN-${crypto.randomUUID()}`;
export const secret = `hook-${crypto.randomUUID()}`;
export const personId = randomInt(100_000_000, 999_999_999);
export const groupId = -randomInt(100_000_000, 999_999_999);
export const forumId = -1_009_990_000_000 - randomInt(1, 99_999);
export const botUserId = Number(token.split(":")[0]);

export let server: TelegramServer;
export let channel: Channel;

/** Each test of the file has a double and a channel of its own. */
export function telegramForEachTest(): void {
  beforeEach(async () => {
    server = newServer();
    channel = newChannel(await server.start());
  });
  afterEach(async () => {
    await server.stop();
  });
}

export interface RigOptions {
  readonly settings?: Readonly<Record<string, string | undefined>>;
  readonly ports?: ExtensionPorts;
  readonly account?: string;
}

export function newServer(): TelegramServer {
  return new TelegramServer({
    token,
    chats: [
      { id: personId, type: "private", first_name: "Ada" },
      { id: groupId, type: "group", title: "Allotment" },
      { id: forumId, type: "supergroup", title: "Club", is_forum: true, threads: [285] },
    ],
  });
}

export function newChannel(apiRoot: string, options: RigOptions = {}): Channel {
  const raw = { botToken: token, webhookSecret: secret, apiRoot, ...options.settings };
  const settings = telegram.settings.parse(raw);
  return telegram.create(options.account ?? "default", settings, options.ports ?? testPorts());
}

export const directRoute: ReplyRoute = {
  channel: "telegram",
  account: "default",
  conversation: String(personId),
  kind: "direct",
};

export const groupRoute: ReplyRoute = {
  ...directRoute,
  conversation: String(groupId),
  kind: "group",
};

export function topicRoute(thread: string): ReplyRoute {
  return { ...directRoute, conversation: String(forumId), kind: "group", thread };
}
