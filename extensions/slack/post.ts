import type { SendContext, SendResult } from "#contract/channel.ts";
import type { JsonObject } from "#contract/json.ts";
import type { ReplyRoute } from "#contract/message.ts";
import type { ApiOutcome, SlackClient } from "./client.ts";
import { deliveryMetadata } from "./delivery-mark.ts";
import { postFailure } from "./outcome.ts";
import { blocksOf, type TextPayload } from "./payload.ts";

/**
 * chat.postMessage for one text part. A post is not idempotent, so it is repeated here only after Slack
 * has certainly declined it, in a plainer form: without a thread that is gone, without blocks it cannot
 * read, or, for a slash command typed where the bot is not a member, to the person's own direct chat.
 * Links are never unfurled: Slack would fetch them, and a URL the model wrote can carry what it knows.
 */
interface Attempt {
  readonly channel: string;
  readonly thread: string | undefined;
  readonly withBlocks: boolean;
}

const goneThread = new Set(["thread_not_found", "invalid_thread_ts", "cannot_reply_to_message"]);
const badBlocks = new Set(["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"]);
const noAccess = new Set(["channel_not_found", "not_in_channel"]);

export async function postText(
  client: SlackClient,
  payload: TextPayload,
  route: ReplyRoute,
  context: SendContext,
): Promise<SendResult> {
  let attempt: Attempt = { channel: route.conversation, thread: route.thread, withBlocks: true };
  for (;;) {
    const outcome = await client.call({
      method: "chat.postMessage",
      encoding: "json",
      args: postArguments(attempt, payload, context.deliveryId),
      signal: context.signal,
    });
    if (outcome.kind === "ok") return posted(outcome, attempt, route);
    const plainer = outcome.kind === "refused" ? relax(attempt, outcome.code, route) : null;
    if (plainer === null) return postFailure(outcome);
    context.claim();
    attempt = plainer;
  }
}

function postArguments(attempt: Attempt, payload: TextPayload, deliveryId: string): JsonObject {
  return {
    channel: attempt.channel,
    text: payload.text,
    blocks: attempt.withBlocks ? blocksOf(payload) : undefined,
    thread_ts: attempt.thread,
    parse: "none",
    unfurl_links: false,
    unfurl_media: false,
    metadata: deliveryMetadata(deliveryId),
  };
}

/** The next, plainer attempt, or null. Each step is taken at most once, so this ends. */
function relax(attempt: Attempt, code: string, route: ReplyRoute): Attempt | null {
  if (goneThread.has(code) && attempt.thread !== undefined)
    return { ...attempt, thread: undefined };
  if (badBlocks.has(code) && attempt.withBlocks) return { ...attempt, withBlocks: false };
  const user = route.hints?.["user"];
  if (noAccess.has(code) && user !== undefined && attempt.channel !== user) {
    return { ...attempt, channel: user, thread: undefined };
  }
  return null;
}

function posted(
  outcome: Extract<ApiOutcome, { kind: "ok" }>,
  attempt: Attempt,
  route: ReplyRoute,
): SendResult {
  const { ts, channel } = outcome.body;
  if (typeof ts !== "string") return { status: "unknown", reason: "Slack gave no message id" };
  const moved = attempt.channel !== route.conversation && typeof channel === "string";
  return {
    status: "sent",
    messageId: ts,
    ...(moved ? { movedTo: { conversation: channel } } : {}),
  };
}
