import { type SlackCall, textOf, wireMessage } from "./slack-call.ts";
import { readableChannel } from "./slack-checks.ts";
import { SlackFault } from "./slack-failure.ts";
import type { SlackMessage } from "./slack-workspace.ts";

/** conversations.history (newest first, without replies) and .replies (oldest first, with the head). */
export function history(call: SlackCall): Record<string, unknown> {
  const channel = readableChannel(call.server.workspace, call.args["channel"]);
  if (channel.joined === false) throw new SlackFault("not_in_channel");
  const messages = call.server.workspace.visible(channel.id);
  return page(call, inRange(call, messages).toSorted(byTs).toReversed());
}

export function replies(call: SlackCall): Record<string, unknown> {
  const channel = readableChannel(call.server.workspace, call.args["channel"]);
  if (channel.joined === false) throw new SlackFault("not_in_channel");
  const ts = textOf(call.args["ts"]);
  const head = call.server.workspace.find(channel.id, ts);
  const answers = call.server.workspace.visible(channel.id, ts);
  if (head === undefined && answers.length === 0) throw new SlackFault("thread_not_found");
  const thread = inRange(call, answers).toSorted(byTs);
  return page(call, head === undefined ? thread : [head, ...thread]);
}

function inRange({ args }: SlackCall, messages: readonly SlackMessage[]): SlackMessage[] {
  const oldest = Number(args["oldest"] ?? 0);
  const latest = Number(args["latest"] ?? Number.POSITIVE_INFINITY);
  return messages.filter((one) => Number(one.ts) > oldest && Number(one.ts) < latest);
}

function page({ args }: SlackCall, messages: readonly SlackMessage[]): Record<string, unknown> {
  const start = Number(textOf(args["cursor"]) || 0);
  const limit = Number(args["limit"] ?? 100);
  const end = start + limit;
  const more = end < messages.length;
  const withMetadata = args["include_all_metadata"] === true;
  return {
    messages: messages.slice(start, end).map((one) => wireMessage(one, withMetadata)),
    has_more: more,
    response_metadata: { next_cursor: more ? String(end) : "" },
  };
}

function byTs(a: SlackMessage, b: SlackMessage): number {
  return Number(a.ts) - Number(b.ts);
}
