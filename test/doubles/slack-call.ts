import type { SlackMessage, SlackStoredFile, SlackWorkspace } from "./slack-workspace.ts";

/** What a Web API method of the double gets, and how it shows messages. Shared by the method files. */
export interface SlackCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly server: SlackState;
}

export interface SlackMethod {
  /** Does it read JSON bodies? */
  readonly json: boolean;
  /** One of these must have been granted; none = no scope is needed. */
  readonly scopes: readonly string[];
  run(call: SlackCall): Record<string, unknown>;
}

/** The server, as far as methods may see it. */
export interface SlackState {
  readonly url: string;
  readonly team: { readonly id: string; readonly name: string };
  readonly bot: { readonly id: string; readonly botId: string; readonly name: string };
  readonly workspace: SlackWorkspace;
  readonly goneThreads: ReadonlySet<string>;
  readonly uploads: Map<string, { fileId: string; length: number }>;
  readonly statuses: { channel: string; thread: string; status: string }[];
  readonly reactions: { channel: string; ts: string; name: string }[];
  wireFile(file: SlackStoredFile): Record<string, unknown>;
}

/** A message as Slack's answers show it; metadata only on request. */
export function wireMessage(message: SlackMessage, withMetadata: boolean): Record<string, unknown> {
  return {
    type: "message",
    user: message.user,
    ts: message.ts,
    text: message.text,
    ...(message.botId !== undefined && { bot_id: message.botId }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(message.files.length > 0 && { files: message.files }),
    ...(withMetadata && message.metadata !== undefined && { metadata: message.metadata }),
  };
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
