import type { Channel, WebhookRequest } from "#contract/channel.ts";
import { defineChannel } from "#contract/extension.ts";
import { err, ok } from "#contract/result.ts";
import { constantTimeEqual } from "#kit/constant-time.ts";
import { fetchAttachment } from "./fetch-image.ts";
import { parseRequest } from "./parse.ts";
import { apiSettings, type ApiSettings } from "./settings.ts";
import type { ExtensionPorts } from "#contract/ports.ts";

/**
 * The OpenAI-compatible API as a channel. There is no platform to send to: what is "sent" is kept, and
 * whoever asked reads it from the turn (src/app/openai-routes.ts). Sending is therefore always exactly
 * once.
 */
export const api = defineChannel<ApiSettings>({
  kind: "channel",
  id: "api",
  environment: { gatewayToken: "GATEWAY_TOKEN" },
  settings: apiSettings,
  create: createApi,
});

function createApi(account: string, settings: ApiSettings, ports: ExtensionPorts): Channel {
  return {
    id: "api",
    account,
    capabilities: {
      textLimit: 1_000_000,
      previewIntervalMs: 0,
      buttons: false,
      files: false,
      caseSensitiveIds: true,
      webhook: false,
      description: "A program calls you; it may show Markdown.",
    },
    verify: async ({ headers }: WebhookRequest) => {
      const given = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
      if (given === undefined) return err("missing");
      return constantTimeEqual(given, settings.gatewayToken) ? ok(undefined) : err("wrong");
    },
    parse: parseRequest,
    render: (message) => {
      const files = (message.media ?? []).map((file) => `[file: ${file.name}]`);
      const text = [message.text, ...files].filter((line) => line !== "").join("\n");
      return text.trim() === "" ? [] : [{ payload: {}, text }];
    },
    send: async (_part, _route, context) => ({ status: "sent", messageId: context.deliveryId }),
    fetchAttachment: (ref) => fetchAttachment(ports, ref),
  };
}
