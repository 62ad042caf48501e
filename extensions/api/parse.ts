import type { ParsedWebhook, ParseFault, WebhookRequest } from "#contract/channel.ts";
import type { Attachment } from "#contract/message.ts";
import type { ModelMessage } from "#contract/model.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { guardUrl, urlRefusalText } from "#kit/url-guard.ts";
import {
  chatRequestSchema,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
} from "./schema.ts";

/**
 * An OpenAI chat completion request → one message. In a continued conversation only what follows the
 * last assistant message is new; in a one-off the rest is its history. System and developer text is
 * for this call only.
 */
export function parseRequest(request: WebhookRequest): Result<ParsedWebhook, ParseFault> {
  const read = readJson(request.body);
  if (!read.ok) return read;
  const parsed = chatRequestSchema.safeParse(read.value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const param = issue?.path.map(String).join(".") ?? "";
    return refuse(
      `${param === "" ? "the request" : param}: ${issue?.message ?? "not valid"}`,
      param,
    );
  }
  const unsupported = refuseOptions(parsed.data);
  return unsupported ?? toMessage(parsed.data, request);
}

function refuse(message: string, param?: string) {
  return err({ reason: "malformed" as const, message, ...(param ? { param } : {}) });
}

function readJson(body: Uint8Array): Result<unknown, ParseFault> {
  try {
    return ok(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return refuse("the body is not valid JSON"); // The parser's own words would quote the body.
  }
}

function refuseOptions(request: ChatRequest): Result<never, ParseFault> | null {
  if ((request.n ?? 1) !== 1) return refuse("n: only one choice is given", "n");
  const tools = [...(request.tools ?? []), ...(request.functions ?? [])];
  if (tools.length > 0) {
    return refuse("tools: the assistant uses its own tools; a caller cannot add any", "tools");
  }
  return null;
}

function toMessage(chat: ChatRequest, request: WebhookRequest): Result<ParsedWebhook, ParseFault> {
  const user = request.headers.get("x-pagurus-session-key") ?? chat.user ?? "";
  const spoken = chat.messages.filter(isSpoken);
  const lastAnswer = spoken.findLastIndex((message) => message.role === "assistant");
  const fresh = spoken.slice(lastAnswer + 1);
  if (fresh.length === 0) return refuse("messages: the last one must be from the user", "messages");
  const content = fresh.flatMap((message) => partsOf(message.content));
  const attachments = readAttachments(content);
  if (!attachments.ok) return attachments;
  const text = textOf(content);
  if (text.trim() === "" && attachments.value.length === 0) {
    return refuse("messages: the user's message is empty", "messages");
  }
  const history = user === "" ? historyOf(spoken.slice(0, lastAnswer + 1)) : undefined;
  const instructions = instructionsOf(chat.messages);
  return ok({
    kind: "messages",
    messages: [
      {
        channel: "api",
        account: "default",
        route: {
          channel: "api",
          account: "default",
          conversation: user,
          kind: "direct",
          hints: { model: chat.model },
        },
        sender: { id: user, name: "API" },
        text,
        attachments: attachments.value,
        forwarded: false,
        mentionsSelf: true,
        deliveryId: "",
        platformMessageId: "",
        sentAt: request.now,
      },
    ],
    extra: {
      ...(history ? { history } : {}),
      ...(instructions === "" ? {} : { instructions }),
    },
  });
}

type Spoken = Extract<ChatMessage, { role: "user" | "assistant" }>;

function isSpoken(message: ChatMessage): message is Spoken {
  return message.role === "user" || message.role === "assistant";
}

function instructionsOf(messages: readonly ChatMessage[]): string {
  return messages
    .filter((message) => message.role === "system" || message.role === "developer")
    .map((message) => textOf(partsOf(message.content)))
    .join("\n\n");
}

function partsOf(content: string | readonly ContentPart[] | null | undefined): ContentPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return [...(content ?? [])];
}

function textOf(parts: readonly ContentPart[]): string {
  return parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n\n");
}

/** Pictures in older messages are not carried along: only their place is marked. */
function historyOf(messages: readonly Spoken[]): ModelMessage[] {
  return messages.map((message) => {
    const parts = partsOf(message.content);
    const marks = parts.filter((part) => part.type !== "text").map(() => "[attachment]");
    const content = [{ type: "text" as const, text: [textOf(parts), ...marks].join("\n") }];
    return { role: message.role, content };
  });
}

function readAttachments(parts: readonly ContentPart[]): Result<Attachment[], ParseFault> {
  const attachments: Attachment[] = [];
  for (const part of parts) {
    if (part.type === "text") continue;
    const read = part.type === "file" ? readFile(part) : readImage(part);
    if (!read.ok) return read;
    attachments.push(read.value);
  }
  return ok(attachments);
}

function readFile(part: Extract<ContentPart, { type: "file" }>): Result<Attachment, ParseFault> {
  const { file_data: ref, filename } = part.file;
  if (!ref.startsWith("data:")) return refuse("file: file_data must be a data: URL", "messages");
  return ok({ kind: "file", ref, ...(filename ? { name: filename } : {}) });
}

function readImage(
  part: Extract<ContentPart, { type: "image_url" }>,
): Result<Attachment, ParseFault> {
  const ref = typeof part.image_url === "string" ? part.image_url : part.image_url.url;
  if (ref.startsWith("data:")) return ok({ kind: "image", ref });
  const guarded = guardUrl(ref);
  if (!guarded.ok) return refuse(`image_url: ${urlRefusalText(guarded.error)}`, "messages");
  return ok({ kind: "image", ref: guarded.value.href });
}
