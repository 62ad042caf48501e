import type { ChatKind, ReplyRoute } from "#contract/message.ts";

/**
 * Which conversation an event belongs to. The kind comes from the id alone, because `channel_type` is
 * missing in some events of the same place (app_mention, slash commands): `D…` is a direct chat,
 * everything else a channel, group chats included (their ids look like those of private channels).
 * A channel is answered in threads, one conversation per thread: a message outside any thread starts
 * one, so its own ts is the thread, and what follows in that thread reaches the same session. A direct
 * chat is one conversation, except inside a thread that a person opened.
 */
export interface Place {
  readonly account: string;
  readonly conversation: string;
  readonly thread: string | undefined;
  readonly hints: Readonly<Record<string, string | undefined>>;
}

export function conversationKind(conversation: string): ChatKind {
  return conversation.startsWith("D") ? "direct" : "channel";
}

/** The thread a message's answer belongs to; undefined = the main conversation. */
export function threadOfMessage(
  conversation: string,
  ts: string,
  threadTs?: string,
): string | undefined {
  if (conversationKind(conversation) !== "direct") return threadTs ?? ts;
  return threadTs === ts ? undefined : threadTs;
}

export function routeTo(place: Place): ReplyRoute {
  const hints: Record<string, string> = {};
  for (const [name, value] of Object.entries(place.hints)) if (value) hints[name] = value;
  return {
    channel: "slack",
    account: place.account,
    conversation: place.conversation,
    kind: conversationKind(place.conversation),
    ...(place.thread === undefined ? {} : { thread: place.thread }),
    ...(Object.keys(hints).length === 0 ? {} : { hints }),
  };
}

/** Slack's `1760000000.000100` → milliseconds since the epoch; `fallback` for anything else. */
export function timeOf(ts: string | undefined, fallback: number): number {
  if (ts === undefined || !/^\d{9,11}(?:\.\d{1,9})?$/.test(ts)) return fallback;
  return Math.floor(Number(ts) * 1000);
}
