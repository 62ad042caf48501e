import type { InboxItem } from "#contract/inbox.ts";
import { joinBytes } from "#kit/bounded-bytes.ts";
import { exportLines } from "./export-lines.ts";
import type { CommandChange } from "./command-run.ts";
import type { SessionPorts } from "#core/state/ports.ts";

/** Larger exports are fetched over HTTP, where they can be streamed. */
const MAX_FILE_BYTES = 20_000_000;
/** An answer is one row, in which every quotation mark of the JSON takes two bytes more. */
const MAX_TEXT_BYTES = 400_000;

/**
 * `/export`: the whole conversation as JSONL, over all its resets. A file; where there are none, the
 * answer is the JSONL and nothing else, so that a script can keep it as it is.
 */
export async function exportChange(ports: SessionPorts, item: InboxItem): Promise<CommandChange> {
  const asText = ports.channel(item.message.route)?.capabilities.files === false;
  const bytes = await exportBytes(ports, asText ? MAX_TEXT_BYTES : MAX_FILE_BYTES);
  if (bytes === null) return () => ({ text: tooLarge(ports) });
  if (asText) return () => ({ text: new TextDecoder().decode(bytes).trimEnd() });
  const name = `pagurus-${new Date(ports.now()).toISOString().slice(0, 10)}.jsonl`;
  const mediaKey = `agents/${ports.agentId}/exports/${encodeURIComponent(ports.key)}/${item.seq}.jsonl`;
  const mimeType = "application/jsonl";
  await ports.media.put(mediaKey, { bytes, mimeType, name });
  return () => ({
    text: "This conversation, one entry a line.",
    media: [{ kind: "file", mediaKey, mimeType, name }],
  });
}

/** Null: there is more than that. */
async function exportBytes(ports: SessionPorts, limit: number): Promise<Uint8Array | null> {
  const encoder = new TextEncoder();
  const pages: Uint8Array[] = [];
  let size = 0;
  for await (const page of exportLines(ports)) {
    const bytes = encoder.encode(page);
    size += bytes.byteLength;
    if (size > limit) return null;
    pages.push(bytes);
  }
  return joinBytes(pages, size);
}

function tooLarge(ports: SessionPorts): string {
  return `This conversation is too long for an answer. Fetch it with your gateway token: GET /sessions/${encodeURIComponent(ports.key)}/export`;
}
