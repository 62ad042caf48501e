import type { ParsedWebhook, ParseFault, WebhookRequest } from "#contract/channel.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { parseEvent, type ParseContext } from "./parse-event.ts";
import { parseInteraction, parseSlashCommand } from "./parse-form.ts";
import type { SlackSettings } from "./settings.ts";
import { envelopeSchema, interactionSchema, slashCommandSchema } from "./wire.ts";

/**
 * The one endpoint's body: Events API (JSON), interactivity (a form whose `payload` is JSON) or a slash
 * command (a form). Pure and total: any bytes give a result. Runs after verify, so what is odd here is
 * Slack's doing, not an attacker's; odd bodies are still only "malformed".
 */
type Parsed = Result<ParsedWebhook, ParseFault>;

export function parseSlackRequest(
  request: WebhookRequest,
  account: string,
  settings: SlackSettings,
): Parsed {
  const text = new TextDecoder().decode(request.body);
  const context: ParseContext = { account, settings, now: request.now };
  const isForm = (request.headers.get("content-type") ?? "").includes("x-www-form-urlencoded");
  return isForm ? parseForm(text, request, context) : parseJson(text, context);
}

function parseJson(text: string, context: ParseContext): Parsed {
  const envelope = envelopeSchema.safeParse(readJson(text));
  if (!envelope.success) return err("malformed");
  if (envelope.data.type !== "url_verification") return ok(parseEvent(envelope.data, context));
  const { challenge } = envelope.data;
  if (challenge === undefined) return err("malformed");
  return ok({ kind: "respond", body: challenge, contentType: "text/plain" });
}

function parseForm(text: string, request: WebhookRequest, context: ParseContext): Parsed {
  const form = new URLSearchParams(text);
  if (form.get("ssl_check") === "1") return ok({ kind: "ignored", reason: "ssl_check" });
  const payload = form.get("payload");
  if (payload !== null) {
    const interaction = interactionSchema.safeParse(readJson(payload));
    return interaction.success ? ok(parseInteraction(interaction.data, context)) : err("malformed");
  }
  const command = slashCommandSchema.safeParse(Object.fromEntries(form));
  if (!command.success) return err("malformed");
  const timestamp = request.headers.get("x-slack-request-timestamp");
  return ok(parseSlashCommand(command.data, timestamp, context));
}

/** Undefined for what is not JSON, which no schema here accepts. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
