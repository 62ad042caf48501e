import { z } from "zod";
import type { Channel, ParsedWebhook, WebhookRequest } from "#contract/channel.ts";
import { agentIdSchema } from "#contract/config.ts";
import type { Attachment, ParsedMessage } from "#contract/message.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { agentIds } from "#core/config/agents.ts";
import { buildSessionKey, type SessionScope } from "#core/routing/session-key.ts";
import { sha256 } from "./digest.ts";
import { fitRow } from "./openai-fit.ts";
import type { CompletionHead } from "./openai-wire.ts";
import { mediaStore } from "#wiring/media.ts";
import { loadRuntime } from "#wiring/runtime.ts";
import { sessionStub } from "#wiring/stubs.ts";

/** A verified, parsed API request → a stored message and what is needed to answer for it. */
export interface Accepted extends CompletionHead {
  readonly sessionKey: string;
  readonly seq: number;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

export interface Refused {
  readonly status: 400 | 404 | 413;
  readonly param?: string;
  readonly message: string;
}

const options = z.object({
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});

export async function acceptRequest(
  env: Env,
  channel: Channel,
  request: WebhookRequest,
  parsed: ParsedWebhook,
): Promise<Result<Accepted, Refused>> {
  const message = parsed.kind === "messages" ? parsed.messages[0] : undefined;
  if (parsed.kind !== "messages" || !message) return err({ status: 400, message: "no message" });
  const model = message.route.hints?.["model"] ?? "pagurus";
  const agentId = agentOf(env, model);
  if (agentId === null) {
    return err({ status: 404, message: `the model "${model}" does not exist`, param: "model" });
  }
  const hash = await sha256(request.body);
  const user = message.route.conversation;
  const scope = scopeOf(user, hash);
  const sessionKey = buildSessionKey({ agentId, scope }, channel.capabilities.caseSensitiveIds);
  const deliveryId = deliveryIdOf(request.headers);
  const fitted = await fitRow(env, agentId, message, parsed.extra ?? {});
  if (!fitted.ok) return err({ status: 413, message: fitted.error, param: "messages" });
  const accepted = await sessionStub(env, sessionKey).accept({
    message: {
      ...fitted.value.message,
      route: { ...message.route, conversation: user === "" ? hash : user },
      sender: { ...message.sender, isOwner: true },
      attachments: [
        ...(await storeAttachments(env, channel, agentId, message)),
        ...fitted.value.message.attachments,
      ],
      deliveryId,
      platformMessageId: deliveryId,
      receivedAt: request.now,
    },
    contentHash: hash,
    isRetry: Number(request.headers.get("x-stainless-retry-count") ?? "0") > 0,
    extra: fitted.value.extra,
  });
  const { stream, stream_options: streamOptions } = options.catch({}).parse(bodyOf(request));
  return ok({
    sessionKey,
    seq: accepted.seq,
    id: `chatcmpl-${hash.slice(0, 12)}${accepted.seq}`,
    model,
    created: Math.floor(request.now / 1000),
    stream: stream === true,
    includeUsage: streamOptions?.include_usage === true,
  });
}

/** Whoever names no conversation gets one for this request alone. */
function scopeOf(user: string, hash: string): SessionScope {
  return user === "" ? { kind: "api-once", request: hash } : { kind: "api", user };
}

function bodyOf(request: WebhookRequest): unknown {
  return JSON.parse(new TextDecoder().decode(request.body));
}

/** `pagurus` is the default agent, `pagurus/<id>` a configured one. Null: there is none. */
export function agentOf(env: Env, model: string): string | null {
  const { config } = loadRuntime(env).runtime;
  if (model === "pagurus") return config.agents.default;
  const id = agentIdSchema.safeParse(model.replace(/^pagurus\//, ""));
  if (!model.startsWith("pagurus/") || !id.success) return null;
  return agentIds(config).includes(id.data) ? id.data : null;
}

function deliveryIdOf(headers: Headers): string {
  const key = headers.get("idempotency-key");
  return key ? `key:${key.slice(0, 256)}` : `request:${crypto.randomUUID()}`;
}

/** Inline bytes are stored before the message: a row holds no file. */
async function storeAttachments(
  env: Env,
  channel: Channel,
  agentId: string,
  message: ParsedMessage,
): Promise<Attachment[]> {
  return Promise.all(
    message.attachments.map(async (attachment) => {
      const { ref, ...rest } = attachment;
      if (!ref?.startsWith("data:")) return attachment;
      const fetched = await channel.fetchAttachment?.(ref);
      if (!fetched?.ok) return { ...rest, unavailable: fetched?.error ?? "it could not be read" };
      const { value: media } = fetched;
      const mediaKey = `agents/${agentId}/media/api/${await sha256(media.bytes)}`;
      await mediaStore(env).put(mediaKey, media);
      return { ...rest, mediaKey, mimeType: media.mimeType, size: media.bytes.byteLength };
    }),
  );
}
