import type { ReplyRoute } from "#contract/message.ts";
import type { SlackClient } from "./client.ts";

/**
 * Slack has no typing indicator for bots except the status line of an assistant thread, which exists in
 * direct chats only. Slack removes it with the next message, or after two minutes. Cosmetic: a refusal
 * changes nothing, so the outcome is not looked at.
 */
export async function showTyping(client: SlackClient, route: ReplyRoute): Promise<void> {
  if (route.kind !== "direct" || route.thread === undefined) return;
  await client.call({
    method: "assistant.threads.setStatus",
    encoding: "json",
    args: { channel_id: route.conversation, thread_ts: route.thread, status: "is thinking…" },
  });
}
