import { z } from "zod";
import type { FetchedMedia, SendContext, SendResult } from "#contract/channel.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { ReplyRoute } from "#contract/message.ts";
import { withTimeout, type SlackClient } from "./client.ts";
import { networkFault } from "./network-fault.ts";
import { postFailure, repeatableFailure } from "./outcome.ts";
import type { MediaPayload } from "./payload.ts";
import { trustedUrl } from "./trusted-host.ts";

/**
 * Sends one file: ask for an address, put the bytes there, complete. Only the last step shows anything,
 * so everything before it may be repeated. A file's message takes no metadata, so `reconcile` cannot
 * find it. The message id is the file's id, because Slack shares the file a moment later.
 */
export interface UploadTools {
  readonly client: SlackClient;
  readonly apiRoot: string;
  readonly ports: Pick<ExtensionPorts, "fetch">;
}

const ticketSchema = z.looseObject({ upload_url: z.string(), file_id: z.string() });

export async function sendFile(
  tools: UploadTools,
  payload: MediaPayload,
  route: ReplyRoute,
  context: SendContext,
): Promise<SendResult> {
  const media = await context.readMedia(payload.mediaKey);
  if (media === null) return { status: "failed", reason: `the file ${payload.name} is gone` };
  if (media.bytes.length === 0) return { status: "failed", reason: "the file is empty" };
  const ticket = await tools.client.call({
    method: "files.getUploadURLExternal",
    encoding: "form",
    args: { filename: payload.name || media.name, length: media.bytes.length },
    signal: context.signal,
  });
  if (ticket.kind !== "ok") return repeatableFailure(ticket);
  const place = ticketSchema.safeParse(ticket.body);
  if (!place.success) return { status: "retry", reason: "Slack gave no upload address" };
  context.claim();
  const problem = await putBytes(tools, place.data.upload_url, media, context);
  if (problem !== null) return problem;
  context.claim();
  return await complete(tools.client, { fileId: place.data.file_id, payload }, route, context);
}

/** Null when the bytes are there. */
async function putBytes(
  tools: UploadTools,
  address: string,
  media: FetchedMedia,
  context: SendContext,
): Promise<SendResult | null> {
  const { fetch } = tools.ports;
  const url = trustedUrl(address, tools.apiRoot);
  if (url === null) return { status: "failed", reason: "Slack named a foreign upload address" };
  try {
    const response = await fetch(url.href, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/octet-stream" },
      body: new Uint8Array(media.bytes),
      signal: withTimeout(context.signal),
    });
    await response.body?.cancel();
    if (response.ok) return null;
    const reason = `the upload ended with HTTP ${response.status}`;
    const again = response.status === 429 || response.status >= 500;
    return { status: again ? "retry" : "failed", reason };
  } catch (error) {
    return { status: "retry", reason: `the upload failed (${networkFault(error)})` };
  }
}

async function complete(
  client: SlackClient,
  upload: { readonly fileId: string; readonly payload: MediaPayload },
  route: ReplyRoute,
  context: SendContext,
): Promise<SendResult> {
  const outcome = await client.call({
    method: "files.completeUploadExternal",
    encoding: "json",
    args: {
      files: [{ id: upload.fileId, title: upload.payload.name }],
      channel_id: route.conversation,
      thread_ts: route.thread,
    },
    signal: context.signal,
  });
  if (outcome.kind !== "ok") return postFailure(outcome);
  return { status: "sent", messageId: upload.fileId };
}
