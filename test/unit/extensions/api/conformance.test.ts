import { api } from "#ext/api/index.ts";
import { channelSuite } from "#test/contract/channel-suite.ts";

/** The API through the suite that every channel runs. Its platform is its caller, so there is no double. */
const token = "gate-9vJ2mQ7xLr4TzB8nKd3W";

channelSuite({
  name: "api",
  secrets: [token],
  signingSecret: token,
  route: { channel: "api", account: "default", conversation: "ada", kind: "direct" },
  messageBody: (text) =>
    JSON.stringify({ model: "pagurus", user: "ada", messages: [{ role: "user", content: text }] }),
  create: ({ signingSecret, ports }) =>
    api.create("default", api.settings.parse({ gatewayToken: signingSecret }), ports),
  signedRequest({ body, secret, now }) {
    const headers = new Headers({ "content-type": "application/json" });
    if (secret !== undefined) headers.set("authorization", `Bearer ${secret}`);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    return { headers, body: bytes, now };
  },
});
