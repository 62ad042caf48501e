import { badRequest } from "./telegram-failure.ts";
import { type ApiParameters, isRecord, scalarText } from "./telegram-form.ts";
import { parseTelegramHtml } from "./telegram-html.ts";
import type { ApiCall } from "./telegram-methods.ts";

/** What the Bot API checks about a text, a keyboard and a quoted message, in its own words. */
export interface CheckedText {
  readonly text: string;
  readonly raw: string;
  readonly parseMode: string | undefined;
}

const maxPayloadBytes = 32_768;

export function checkedText(
  parameters: ApiParameters,
  rule: { readonly name: "text" | "caption"; readonly limit: number; readonly required: boolean },
): CheckedText {
  const raw = parameters.text(rule.name) ?? "";
  const parseMode = parameters.text("parse_mode");
  const text = visibleText(raw, parseMode);
  const kind = rule.name === "text" ? "message" : "message caption";
  if (text.length > rule.limit || Buffer.byteLength(raw) > maxPayloadBytes) {
    throw badRequest(`${kind} is too long`);
  }
  if (rule.required && text.trim() === "") throw badRequest("message text is empty");
  return { text, raw, parseMode };
}

export function visibleText(raw: string, parseMode: string | undefined): string {
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(raw)) {
    throw badRequest("strings must be encoded in UTF-8");
  }
  if (parseMode === undefined) return raw;
  if (parseMode.toLowerCase() !== "html") throw badRequest("unsupported parse_mode");
  const parsed = parseTelegramHtml(raw);
  if (!parsed.ok) throw badRequest(`can't parse entities: ${parsed.error}`);
  return parsed.text;
}

export function checkedKeyboard(parameters: ApiParameters): unknown {
  const markup = parameters.record("reply_markup");
  const rows = markup?.["inline_keyboard"];
  if (rows === undefined) return undefined;
  if (!Array.isArray(rows)) throw badRequest("object expected as reply markup");
  for (const button of rows.flat() as unknown[]) {
    const fields = isRecord(button) ? button : {};
    const data = scalarText(fields["callback_data"]) ?? "";
    const label = scalarText(fields["text"]) ?? "";
    if (Buffer.byteLength(data) < 1 || Buffer.byteLength(data) > 64) {
      throw badRequest("BUTTON_DATA_INVALID");
    }
    if (label === "") throw badRequest("can't parse inline keyboard button: Text is empty");
  }
  return rows;
}

export function replyTarget({ parameters, server }: ApiCall, chatId: number): number | undefined {
  const reply = parameters.record("reply_parameters");
  if (!reply) return undefined;
  const messageId = Number(reply["message_id"]);
  // Messages of people are not stored here: only ids the double itself gave out can be judged.
  const gone = messageId > 1000 && !server.chats.find(chatId, messageId);
  if (gone && reply["allow_sending_without_reply"] !== true) {
    throw badRequest("message to be replied not found");
  }
  return gone ? undefined : messageId;
}
