import type { ReplyRoute } from "#contract/message.ts";

/** `channel:conversation[:thread]`, another name for a session. */
export function addressOf(route: ReplyRoute): string {
  const { channel, conversation, thread } = route;
  return [channel, conversation, ...(thread === undefined ? [] : [thread])].join(":");
}
