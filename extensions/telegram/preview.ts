import type { OutboundPart, PreviewMode, SendContext, SendResult } from "#contract/channel.ts";
import type { ReplyRoute } from "#contract/message.ts";
import type { Result } from "#contract/result.ts";
import { parseMarkdown } from "#kit/markdown/parse.ts";
import type { BotApi } from "./api.ts";
import { type CallFault, faultResult, isUnreadable } from "./fault.ts";
import { partSchema } from "./part.ts";
import { renderText } from "./render.ts";
import { markup, textFields } from "./request.ts";
import { sendThread } from "./route.ts";

/**
 * What may be repeated: editing and removing a message of ours, and drafts (direct chats only; they
 * vanish after 30 s unless renewed, and have a stop button). "Not modified" and "already gone" are
 * success. Mark-up that is refused is sent once more as plain text. Rejects only with what `claim` throws.
 */
export function previewModeOf(route: ReplyRoute): PreviewMode {
  return route.kind === "direct" ? "draft" : "edit";
}

export async function editTelegram(
  api: BotApi,
  messageId: string,
  outbound: OutboundPart,
  target: { readonly route: ReplyRoute; readonly context: SendContext },
): Promise<SendResult> {
  const { route, context } = target;
  const parsed = partSchema.safeParse(outbound.payload);
  if (!parsed.success || parsed.data.type !== "text") {
    return { status: "failed", reason: "only a text can replace a message" };
  }
  const part = parsed.data;
  const edit = (plain: boolean) =>
    api.call(
      (raw, signal) =>
        raw.editMessageText(
          {
            chat_id: route.conversation,
            message_id: Number(messageId),
            ...textFields(part.text, plain),
            ...(!part.linkPreview && { link_preview_options: { is_disabled: true } }),
            ...markup(part),
          },
          signal,
        ),
      { signal: context.signal },
    );
  return repeatable(edit, { messageId, context, done: /message is not modified/i });
}

export async function removeTelegram(
  api: BotApi,
  messageId: string,
  target: { readonly route: ReplyRoute; readonly context: SendContext },
): Promise<SendResult> {
  const { route, context } = target;
  const remove = () =>
    api.call(
      (raw, signal) =>
        raw.deleteMessage({ chat_id: route.conversation, message_id: Number(messageId) }, signal),
      { signal: context.signal },
    );
  return repeatable(remove, { messageId, context, done: /message to delete not found/i });
}

export async function draftTelegram(
  api: BotApi,
  draftId: number,
  text: string,
  target: { readonly route: ReplyRoute; readonly context: SendContext },
): Promise<SendResult> {
  const { route, context } = target;
  if (route.kind !== "direct" || draftId === 0) {
    return { status: "failed", reason: "drafts exist in direct chats only" };
  }
  const thread = sendThread(route.thread);
  // What is written right now is at the end. No text at all shows "Thinking…".
  const shown = renderText(parseMarkdown(text)).at(-1) ?? { html: "", plain: "" };
  const draft = (plain: boolean) =>
    api.call(
      (raw, signal) =>
        raw.sendMessageDraft(
          {
            chat_id: Number(route.conversation),
            draft_id: draftId,
            ...textFields(shown, plain),
            ...(thread !== undefined && { message_thread_id: thread }),
            can_stop: true,
          },
          signal,
        ),
      { signal: context.signal },
    );
  return repeatable(draft, { messageId: String(draftId), context });
}

interface Repeatable {
  readonly messageId: string;
  readonly context: SendContext;
  /** Refusals that mean: it is so already. */
  readonly done?: RegExp;
}

async function repeatable(
  call: (plain: boolean) => Promise<Result<unknown, CallFault>>,
  { messageId, context, done }: Repeatable,
): Promise<SendResult> {
  let outcome = await call(false);
  if (!outcome.ok && isUnreadable(outcome.error)) {
    context.claim();
    outcome = await call(true);
  }
  if (outcome.ok) return { status: "sent", messageId };
  const fault = outcome.error;
  if (fault.kind === "refused" && done?.test(fault.description)) {
    return { status: "sent", messageId };
  }
  return faultResult(fault, "again");
}
