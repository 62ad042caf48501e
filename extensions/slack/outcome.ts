import type { SendResult } from "#contract/channel.ts";
import type { ApiOutcome } from "./client.ts";

/**
 * A failed Web API outcome → what the outbox does with it. Two tables, because the same 5xx means
 * "unknown" after a post (it may be visible) and "again" after an edit (repeating it changes nothing).
 */
export type Failure = Exclude<ApiOutcome, { kind: "ok" }>;

const explanations: Readonly<Record<string, string>> = {
  account_inactive: "the bot's account or workspace was deactivated",
  cant_update_message: "the message is not the bot's own",
  channel_not_found: "there is no such conversation, or the bot cannot see it",
  edit_window_closed: "the workspace no longer allows this message to be edited",
  invalid_auth: "Slack does not accept the bot token",
  is_archived: "the channel is archived",
  message_not_found: "the message is gone",
  missing_scope: "the app lacks a permission",
  msg_too_long: "the text is too long",
  not_authed: "Slack does not accept the bot token",
  not_in_channel: "the bot is not in the channel; invite it there",
  restricted_action: "the workspace does not let the bot post here",
  token_expired: "the bot token has expired",
  token_revoked: "the bot token was revoked",
};

/** For posts and the last step of an upload. */
export function postFailure(failure: Failure): SendResult {
  return failure.kind === "unclear"
    ? { status: "unknown", reason: failure.reason }
    : repeatableFailure(failure);
}

/** For what may be repeated: edits, deletions and steps that show nothing. */
export function repeatableFailure(failure: Failure): SendResult {
  switch (failure.kind) {
    case "limited":
      return {
        status: "retry",
        ...(failure.afterMs === undefined ? {} : { afterMs: failure.afterMs }),
        reason: "Slack asks to slow down",
      };
    case "unsent":
    case "unclear":
      return { status: "retry", reason: failure.reason };
    case "refused":
      return { status: "failed", reason: refusalText(failure.code, failure.needed) };
  }
}

/** Slack's code and what it means. Codes are words; anything else is not repeated. */
export function refusalText(code: string, needed?: string): string {
  if (!/^[a-z0-9_]{1,60}$/.test(code)) return "Slack refused the request";
  const meaning = explanations[code];
  const scope = needed !== undefined && /^[a-z:,._ ]{1,80}$/.test(needed) ? ` (${needed})` : "";
  return `Slack refused: ${code}${meaning === undefined ? "" : `, ${meaning}`}${scope}`;
}
