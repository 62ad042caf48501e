import { telegram } from "#ext/telegram/index.ts";
import type { ChannelDouble, ChannelFailure } from "#test/contract/channel-rig.ts";
import { channelSuite } from "#test/contract/channel-suite.ts";
import type { TelegramFailure } from "#test/doubles/telegram-failure.ts";
import { directRoute, newServer, personId, secret, token } from "./telegram-rig.ts";

/** Telegram through the suite that every channel runs. */
channelSuite({
  name: "telegram",
  secrets: [token, secret],
  signingSecret: secret,
  route: directRoute,
  double: telegramDouble,
  messageBody: (text) =>
    JSON.stringify({
      update_id: 700_001,
      message: {
        message_id: 41,
        date: 1_760_000_000,
        chat: { id: personId, type: "private", first_name: "Ada" },
        from: { id: personId, is_bot: false, first_name: "Ada" },
        text,
      },
    }),
  create({ apiRoot, signingSecret, ports }) {
    const raw = { botToken: token, webhookSecret: signingSecret, apiRoot };
    return telegram.create("default", telegram.settings.parse(raw), ports);
  },
  signedRequest({ body, secret: given, now }) {
    const headers = new Headers({ "content-type": "application/json" });
    if (given !== undefined) headers.set("x-telegram-bot-api-secret-token", given);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    return { headers, body: bytes, now };
  },
});

function telegramDouble(): ChannelDouble {
  const server = newServer();
  return {
    start: () => server.start(),
    stop: () => server.stop(),
    failNext: (failure) => server.fail("*", telegramFailure(failure)),
    visible: () => server.visible(personId).map((message) => message.text),
    posts: () => server.calls("sendMessage").length,
  };
}

function telegramFailure(failure: ChannelFailure): TelegramFailure {
  switch (failure.kind) {
    case "rate-limit":
      return { kind: "tooManyRequests", retryAfter: failure.seconds };
    case "refused":
      return { kind: "blocked" };
    case "server-error":
      return { kind: "serverError", applied: failure.applied };
    case "cut":
      return { kind: "cut", applied: failure.applied };
  }
}
