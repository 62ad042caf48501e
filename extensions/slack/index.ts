import type { Channel, ChannelCapabilities } from "#contract/channel.ts";
import { defineChannel } from "#contract/extension.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import { editText, removeMessage } from "./change.ts";
import { createSlackClient } from "./client.ts";
import { fetchFile } from "./download.ts";
import { parseSlackRequest } from "./parse.ts";
import { payloadSchema } from "./payload.ts";
import { postText } from "./post.ts";
import { findDelivery } from "./reconcile.ts";
import { messageLimit, renderMessage } from "./render.ts";
import { slackEnvironment, slackSettingsSchema, type SlackSettings } from "./settings.ts";
import { reportSetup } from "./setup.ts";
import { showTyping } from "./typing.ts";
import { sendFile } from "./upload.ts";
import { verifySlackSignature } from "./verify.ts";

/**
 * Slack: one endpoint for Events API, interactivity and slash commands; answers through the Web API in
 * threads, as mrkdwn, with previews edited in place. The parts are one concern per file; this one only
 * puts them together. Ids are all capitals at Slack, so keys may fold case; routes keep the spelling.
 */
const capabilities: ChannelCapabilities = {
  textLimit: messageLimit,
  previewIntervalMs: 1500,
  buttons: true,
  caseSensitiveIds: false,
  description:
    "Slack shows bold, italic, strikethrough, inline code, code blocks, quotes, lists and links; " +
    "tables appear as fixed-width text, headings as bold lines; images only as attached files.",
  typingRefreshMs: 60_000,
};

const unreadable = { status: "failed", reason: "the stored message cannot be read" } as const;
const notText = { status: "failed", reason: "a file cannot replace a message" } as const;

export const slack = defineChannel<SlackSettings>({
  kind: "channel",
  id: "slack",
  environment: slackEnvironment,
  settings: slackSettingsSchema,
  personIds: { form: /^[UW][A-Z0-9]+$/i, description: "Slack's ids of people begin with U or W" },
  create: createSlackChannel,
});

export function createSlackChannel(
  account: string,
  settings: SlackSettings,
  ports: ExtensionPorts,
): Channel {
  const { apiRoot, botToken } = settings;
  const client = createSlackClient(apiRoot, botToken, ports);
  return {
    id: "slack",
    account,
    capabilities,
    verify: (request) => verifySlackSignature(request, settings.signingSecret),
    parse: (request) => parseSlackRequest(request, account, settings),
    render: (message) => renderMessage(message),
    async send(part, route, context) {
      const payload = payloadSchema.safeParse(part.payload);
      if (!payload.success) return unreadable;
      return payload.data.type === "text"
        ? await postText(client, payload.data, route, context)
        : await sendFile({ client, apiRoot, ports }, payload.data, route, context);
    },
    async edit(id, part, route, context) {
      const payload = payloadSchema.safeParse(part.payload);
      if (!payload.success) return unreadable;
      if (payload.data.type !== "text") return notText;
      return await editText(client, { id, payload: payload.data }, route, context);
    },
    remove: (messageId, route, context) => removeMessage(client, messageId, route, context),
    previewMode: () => "edit",
    typing: (route) => showTyping(client, route),
    fetchAttachment: (ref) => fetchFile(ref, { client, apiRoot, botToken, ports }),
    reconcile: (deliveryId, route) => findDelivery(client, deliveryId, route, ports.now()),
    setup: (context) => reportSetup(client, settings, account, context),
  };
}
