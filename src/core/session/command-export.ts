import type { InboxItem } from "#contract/inbox.ts";
import { joinBytes } from "#kit/bounded-bytes.ts";
import { exportLines } from "./archive.ts";
import type { CommandChange } from "./command-run.ts";
import type { SessionPorts } from "#core/state/ports.ts";

/** Larger exports are fetched over HTTP, where they can be streamed. */
const MAX_BYTES = 20_000_000;

/** `/export`: the whole conversation as one JSONL file, over all its resets. */
export async function exportChange(ports: SessionPorts, item: InboxItem): Promise<CommandChange> {
  const encoder = new TextEncoder();
  const pages: Uint8Array[] = [];
  let size = 0;
  for (const page of exportLines(ports)) {
    const bytes = encoder.encode(page);
    size += bytes.byteLength;
    if (size > MAX_BYTES) return () => ({ text: tooLarge(ports) });
    pages.push(bytes);
  }
  const name = `pagurus-${new Date(ports.now()).toISOString().slice(0, 10)}.jsonl`;
  const mediaKey = `agents/${ports.agentId}/exports/${encodeURIComponent(ports.key)}/${item.seq}.jsonl`;
  const mimeType = "application/jsonl";
  await ports.media.put(mediaKey, { bytes: joinBytes(pages, size), mimeType, name });
  return () => ({
    text: "This conversation, one entry a line.",
    media: [{ kind: "file", mediaKey, mimeType, name }],
  });
}

function tooLarge(ports: SessionPorts): string {
  return `This conversation is too long for a chat. Fetch it with your gateway token: GET /sessions/${encodeURIComponent(ports.key)}/export`;
}
