import type { AcceptExtra } from "#contract/inbox.ts";
import type { ParsedMessage } from "#contract/message.ts";
import type { ModelMessage } from "#contract/model.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import { jsonBytes, truncateToBytes } from "#kit/text/json-bytes.ts";
import { sha256 } from "./digest.ts";
import { mediaStore } from "#wiring/media.ts";

/**
 * A request may be larger than a row may be. A very long text goes to R2 and comes along as a file,
 * with its beginning in the message; of a very long history only the end is kept, since no more than
 * the history budget reaches a model anyway. Everything is one row, so the limits (bytes of JSON in
 * UTF-8) together stay below it, with room for names and keys.
 */
const TEXT_BYTES = 300_000;
const INSTRUCTION_BYTES = 300_000;
const HISTORY_BYTES = 800_000;
/** Addresses and names of files; what is inline does not count, it goes to R2. */
const ATTACHMENT_BYTES = 200_000;
const SHOWN_CHARS = 20_000;

export interface FittedRequest {
  /** `attachments` holds only what was added here. */
  readonly message: ParsedMessage;
  readonly extra: AcceptExtra;
}

/** The error is for the caller: what is too large and cannot be cut. */
export async function fitRow(
  env: Env,
  agentId: string,
  message: ParsedMessage,
  extra: AcceptExtra,
): Promise<Result<FittedRequest, string>> {
  if (jsonBytes(message.attachments.map(withoutBytes)) > ATTACHMENT_BYTES) {
    return err("the names and addresses of the attachments are too long");
  }
  const bare = { ...message, attachments: [] };
  const fittedExtra = fitExtra(extra);
  if (jsonBytes(message.text) <= TEXT_BYTES) return ok({ message: bare, extra: fittedExtra });
  const bytes = new TextEncoder().encode(message.text);
  const mediaKey = `agents/${agentId}/media/api/${await sha256(bytes)}.txt`;
  const file = { mimeType: "text/plain", name: "message.txt" };
  await mediaStore(env).put(mediaKey, { bytes, ...file });
  const text = `${truncateText(message.text, SHOWN_CHARS)}\n[… the whole text is in message.txt …]`;
  const attachment = { kind: "file" as const, mediaKey, ...file, size: bytes.byteLength };
  return ok({ message: { ...bare, text, attachments: [attachment] }, extra: fittedExtra });
}

function withoutBytes(attachment: ParsedMessage["attachments"][number]) {
  const { ref, ...rest } = attachment;
  return ref?.startsWith("data:") ? rest : attachment;
}

function fitExtra(extra: AcceptExtra): AcceptExtra {
  const { history, instructions } = extra;
  return {
    ...extra,
    ...(history ? { history: fitHistory(history) } : {}),
    ...(instructions === undefined
      ? {}
      : { instructions: truncateToBytes(instructions, INSTRUCTION_BYTES) }),
  };
}

function fitHistory(history: readonly ModelMessage[]): readonly ModelMessage[] {
  let size = 0;
  let from = history.length;
  while (from > 0) {
    size += jsonBytes(history[from - 1]);
    if (size > HISTORY_BYTES) break;
    from--;
  }
  if (from === 0) return history;
  const text = `[Pagurus] ${from} older messages of this request are left out.`;
  return [{ role: "user", content: [{ type: "text", text }] }, ...history.slice(from)];
}
