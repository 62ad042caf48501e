import type { AcceptExtra } from "#contract/inbox.ts";
import type { ParsedMessage } from "#contract/message.ts";
import type { ModelMessage } from "#contract/model.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import { mediaStore } from "#wiring/media.ts";

/**
 * A request may be larger than a row may be. A very long text goes to R2 and comes along as a file,
 * with its beginning in the message; of a very long history only the end is kept, since no more than
 * the history budget reaches a model anyway.
 */
const TEXT_CHARS = 200_000;
const SHOWN_CHARS = 20_000;
const HISTORY_CHARS = 400_000;

export interface FittedRequest {
  /** `attachments` holds only what was added here. */
  readonly message: ParsedMessage;
  readonly extra: AcceptExtra;
}

export async function fitRow(
  env: Env,
  agentId: string,
  message: ParsedMessage,
  extra: AcceptExtra,
): Promise<FittedRequest> {
  const bare = { ...message, attachments: [] };
  const fittedExtra = fitExtra(extra);
  if (message.text.length <= TEXT_CHARS) return { message: bare, extra: fittedExtra };
  const bytes = new TextEncoder().encode(message.text);
  const mediaKey = `agents/${agentId}/media/api/${crypto.randomUUID()}.txt`;
  const file = { mimeType: "text/plain", name: "message.txt" };
  await mediaStore(env).put(mediaKey, { bytes, ...file });
  const text = `${truncateText(message.text, SHOWN_CHARS)}\n[… the whole text is in message.txt …]`;
  const attachment = { kind: "file" as const, mediaKey, ...file, size: bytes.byteLength };
  return { message: { ...bare, text, attachments: [attachment] }, extra: fittedExtra };
}

function fitExtra(extra: AcceptExtra): AcceptExtra {
  const { history, instructions } = extra;
  return {
    ...extra,
    ...(history ? { history: fitHistory(history) } : {}),
    ...(instructions === undefined ? {} : { instructions: truncateText(instructions, TEXT_CHARS) }),
  };
}

function fitHistory(history: readonly ModelMessage[]): readonly ModelMessage[] {
  let size = 0;
  let from = history.length;
  while (from > 0) {
    size += JSON.stringify(history[from - 1]).length;
    if (size > HISTORY_CHARS) break;
    from--;
  }
  if (from === 0) return history;
  const text = `[Pagurus] ${from} older messages of this request are left out.`;
  return [{ role: "user", content: [{ type: "text", text }] }, ...history.slice(from)];
}
