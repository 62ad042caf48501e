import type { SendContext, SendResult } from "#contract/channel.ts";
import type { ReplyRoute } from "#contract/message.ts";
import type { SlackClient } from "./client.ts";
import { repeatableFailure } from "./outcome.ts";
import { blocksOf, fallbackText, type TextPayload } from "./payload.ts";

/** chat.update and chat.delete: both may be repeated, so an unclear answer is a reason to try again. */
export async function editText(
  client: SlackClient,
  message: { readonly id: string; readonly payload: TextPayload },
  route: ReplyRoute,
  context: SendContext,
): Promise<SendResult> {
  const { id, payload } = message;
  const outcome = await client.call({
    method: "chat.update",
    encoding: "json",
    args: {
      channel: route.conversation,
      ts: id,
      text: fallbackText(payload.text),
      // Left out, the blocks that are already there would stay and hide the new text.
      blocks: blocksOf(payload) ?? [],
      parse: "none",
      // An edit in place is the answer of a known message, not another one to look for: the mark of
      // the first post stays.
    },
    signal: context.signal,
  });
  if (outcome.kind === "ok") return { status: "sent", messageId: id };
  return repeatableFailure(outcome);
}

/** A message that is gone already is what was wanted. */
export async function removeMessage(
  client: SlackClient,
  messageId: string,
  route: ReplyRoute,
  context: SendContext,
): Promise<SendResult> {
  const outcome = await client.call({
    method: "chat.delete",
    encoding: "json",
    args: { channel: route.conversation, ts: messageId },
    signal: context.signal,
  });
  const gone = outcome.kind === "refused" && outcome.code === "message_not_found";
  if (outcome.kind === "ok" || gone) return { status: "sent", messageId };
  return repeatableFailure(outcome);
}
