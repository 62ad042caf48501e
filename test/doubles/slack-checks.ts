import { SlackFault } from "./slack-failure.ts";
import { member, type SlackChannel, type SlackWorkspace } from "./slack-workspace.ts";

/** Slack's checks of arguments, each ending in Slack's own error word. */
const blockTextLimit = 13_200;

/** The conversation a post goes to; a user id stands for the direct chat with that person. */
export function postableChannel(workspace: SlackWorkspace, id: unknown): SlackChannel {
  const channel = readableChannel(workspace, id);
  if (channel.joined === false) throw new SlackFault("not_in_channel");
  if (channel.archived === true) throw new SlackFault("is_archived");
  return channel;
}

export function readableChannel(workspace: SlackWorkspace, id: unknown): SlackChannel {
  const name = typeof id === "string" ? id : "";
  const direct = name.startsWith("U") ? workspace.directChatWith(name) : undefined;
  const channel = direct ?? workspace.channel(name);
  if (channel === undefined) throw new SlackFault("channel_not_found");
  return channel;
}

export function checkThread(ts: unknown): string | undefined {
  if (ts === undefined) return undefined;
  if (typeof ts !== "string" || !/^\d{10}\.\d{6}$/.test(ts))
    throw new SlackFault("invalid_thread_ts");
  return ts;
}

export function checkMetadata(metadata: unknown): unknown {
  if (metadata === undefined) return undefined;
  const type = member(metadata, "event_type");
  const payload = member(metadata, "event_payload");
  const named = typeof type === "string" && /^[A-Za-z][A-Za-z0-9_]*$/.test(type);
  if (!named || typeof payload !== "object" || payload === null) {
    throw new SlackFault("invalid_metadata_format");
  }
  return metadata;
}

export function checkBlocks(blocks: unknown): readonly unknown[] {
  if (!Array.isArray(blocks) || blocks.length > 50) throw new SlackFault("invalid_blocks_format");
  const lengths: number[] = blocks.map(checkBlock);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total > blockTextLimit) throw new SlackFault("msg_blocks_too_long");
  const ids = blocks.flatMap((block) => elements(block).map((one) => member(one, "action_id")));
  if (new Set(ids).size !== ids.length) throw new SlackFault("invalid_blocks");
  return blocks;
}

function checkBlock(block: unknown): number {
  const type = member(block, "type");
  if (type === "section") return checkText(member(block, "text"), ["mrkdwn", "plain_text"], 3000);
  if (type !== "actions") throw new SlackFault("invalid_blocks");
  const buttons = elements(block);
  if (buttons.length < 1 || buttons.length > 25) throw new SlackFault("invalid_blocks");
  return buttons.map(checkButton).reduce((sum, length) => sum + length, 0);
}

function checkButton(button: unknown): number {
  const value = member(button, "value");
  const id = member(button, "action_id");
  const isButton =
    member(button, "type") === "button" && typeof id === "string" && id.length <= 255;
  const valueFits = value === undefined || (typeof value === "string" && value.length <= 2000);
  if (!isButton || !valueFits) throw new SlackFault("invalid_blocks");
  return checkText(member(button, "text"), ["plain_text"], 75);
}

function checkText(text: unknown, types: readonly string[], limit: number): number {
  const content = member(text, "text");
  const type = member(text, "type");
  const fits = typeof content === "string" && content.length >= 1 && content.length <= limit;
  if (!fits || typeof type !== "string" || !types.includes(type))
    throw new SlackFault("invalid_blocks");
  return content.length;
}

function elements(block: unknown): readonly unknown[] {
  const list = member(block, "elements");
  return Array.isArray(list) ? list : [];
}
