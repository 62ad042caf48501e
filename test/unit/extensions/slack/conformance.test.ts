import { slackSettingsSchema } from "#ext/slack/settings.ts";
import { createSlackChannel } from "#ext/slack/index.ts";
import type { ChannelFailure } from "#test/contract/channel-rig.ts";
import { channelSuite } from "#test/contract/channel-suite.ts";
import type { SlackFailure } from "#test/doubles/slack-failure.ts";
import { messageBody, slackSignature } from "#test/doubles/slack-webhook.ts";
import { readableText } from "#test/doubles/slack-workspace.ts";
import { directId, directRoute, newServer, owner, signingSecret, token } from "./slack-rig.ts";

function scripted(failure: ChannelFailure): SlackFailure {
  switch (failure.kind) {
    case "rate-limit":
      return { kind: "rateLimited", retryAfter: failure.seconds };
    case "refused":
      return { kind: "error", code: "is_archived" };
    case "server-error":
      return { kind: "serverError", applied: failure.applied };
    case "cut":
      return { kind: "cut", applied: failure.applied };
  }
}

channelSuite({
  name: "slack",
  secrets: [token, signingSecret],
  signingSecret,
  route: directRoute,
  messageBody: (text) =>
    messageBody({
      channel: directId,
      user: owner,
      text,
      ts: "1760000000.000200",
      eventId: "EvSUITE01",
    }),
  create: ({ apiRoot, signingSecret: secret, ports }) =>
    createSlackChannel(
      "default",
      slackSettingsSchema.parse({
        botToken: token,
        apiRoot,
        ...(secret !== undefined && { signingSecret: secret }),
      }),
      ports,
    ),
  signedRequest({ body, secret, now }) {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const signature = secret === undefined ? {} : slackSignature(bytes, secret, now);
    const headers = new Headers({ "content-type": "application/json", ...signature });
    return { headers, body: bytes, now };
  },
  double() {
    const server = newServer();
    return {
      async start() {
        await server.start();
        return server.apiRoot;
      },
      stop: () => server.stop(),
      failNext: (failure) => server.fail("*", scripted(failure)),
      visible: () => server.visible(directId).map(readableText),
      posts: () => server.calls("chat.postMessage").length,
    };
  },
});
