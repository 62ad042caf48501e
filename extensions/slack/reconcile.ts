import { z } from "zod";
import type { ReconcileResult } from "#contract/channel.ts";
import type { JsonObject } from "#contract/json.ts";
import type { ReplyRoute } from "#contract/message.ts";
import type { SlackClient } from "./client.ts";
import { markedDelivery } from "./delivery-mark.ts";

/**
 * Looks for a delivery's mark in the conversation's recent history. "absent" makes the answer go out
 * again, so it is said only when the whole window was read; a missing permission, a limit or a longer
 * history is "unknown". Files carry no mark: where the bot has posted one lately, nothing is "absent".
 */
const windowMs = 7 * 24 * 3600 * 1000;
const pageSize = 200;
const maxPages = 5;

const pageSchema = z.looseObject({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      bot_id: z.string().optional().catch(undefined),
      files: z.array(z.unknown()).optional().catch(undefined),
      metadata: z.unknown().optional(),
    }),
  ),
  has_more: z.boolean().optional().catch(undefined),
  response_metadata: z
    .looseObject({ next_cursor: z.string().optional() })
    .optional()
    .catch(undefined),
});
type HistoryPage = z.infer<typeof pageSchema>;

export async function findDelivery(
  client: SlackClient,
  deliveryId: string,
  route: ReplyRoute,
  now: number,
): Promise<ReconcileResult> {
  const oldest = ((now - windowMs) / 1000).toFixed(6);
  let cursor = "";
  for (let page = 0; page < maxPages; page += 1) {
    const history = await readPage(client, route, { oldest, cursor });
    if (history === null) return { status: "unknown" };
    const found = history.messages.find(({ metadata }) => markedDelivery(metadata) === deliveryId);
    if (found !== undefined) return { status: "delivered", messageId: found.ts };
    if (history.messages.some(isOwnFile)) return { status: "unknown" };
    cursor = history.response_metadata?.next_cursor ?? "";
    if (cursor === "") return { status: history.has_more === true ? "unknown" : "absent" };
  }
  return { status: "unknown" };
}

async function readPage(
  client: SlackClient,
  route: ReplyRoute,
  range: { readonly oldest: string; readonly cursor: string },
): Promise<HistoryPage | null> {
  const args: JsonObject = {
    channel: route.conversation,
    oldest: range.oldest,
    include_all_metadata: true,
    limit: pageSize,
    cursor: range.cursor || undefined,
  };
  const outcome = await client.call(
    route.thread === undefined
      ? { method: "conversations.history", encoding: "form", args }
      : { method: "conversations.replies", encoding: "form", args: { ...args, ts: route.thread } },
  );
  if (outcome.kind !== "ok") return null;
  return pageSchema.safeParse(outcome.body).data ?? null;
}

function isOwnFile(message: HistoryPage["messages"][number]): boolean {
  return message.bot_id !== undefined && (message.files ?? []).length > 0;
}
