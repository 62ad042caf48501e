import { createHash } from "node:crypto";
import { type SlackCall, type SlackMethod, textOf, wireMessage } from "./slack-call.ts";
import {
  checkBlocks,
  checkMetadata,
  checkThread,
  postableChannel,
  readableChannel,
} from "./slack-checks.ts";
import { SlackFault } from "./slack-failure.ts";
import { history, replies } from "./slack-history.ts";
import { member, type SlackMessage } from "./slack-workspace.ts";

/**
 * The Web API methods the double knows: what each does, and whether it reads JSON bodies (Slack's
 * reading methods and the first upload step take forms only).
 */
const historyScopes = ["channels:history", "groups:history", "im:history", "mpim:history"];

export const slackMethods: Readonly<Record<string, SlackMethod>> = {
  "auth.test": { json: true, scopes: [], run: authTest },
  "chat.postMessage": { json: true, scopes: ["chat:write"], run: postMessage },
  "chat.update": { json: true, scopes: ["chat:write"], run: updateMessage },
  "chat.delete": { json: true, scopes: ["chat:write"], run: deleteMessage },
  "conversations.history": { json: false, scopes: historyScopes, run: history },
  "conversations.replies": { json: false, scopes: historyScopes, run: replies },
  "files.info": { json: false, scopes: ["files:read"], run: fileInfo },
  "files.getUploadURLExternal": { json: false, scopes: ["files:write"], run: getUploadUrl },
  "files.completeUploadExternal": { json: true, scopes: ["files:write"], run: completeUpload },
  "assistant.threads.setStatus": { json: true, scopes: ["chat:write"], run: setStatus },
  "reactions.add": { json: true, scopes: ["reactions:write"], run: addReaction },
};

function authTest({ server }: SlackCall): Record<string, unknown> {
  const { team, bot } = server;
  return {
    url: `https://${team.name.toLowerCase()}.slack.com/`,
    team: team.name,
    team_id: team.id,
    user: bot.name,
    user_id: bot.id,
    bot_id: bot.botId,
  };
}

function postMessage({ args, server }: SlackCall): Record<string, unknown> {
  const channel = postableChannel(server.workspace, args["channel"]);
  const blocks = args["blocks"] === undefined ? [] : checkBlocks(args["blocks"]);
  const text = textOf(args["text"]);
  if (text === "" && blocks.length === 0) throw new SlackFault("no_text");
  const threadTs = checkThread(args["thread_ts"]);
  if (threadTs !== undefined && server.goneThreads.has(threadTs)) {
    throw new SlackFault("thread_not_found");
  }
  const message = server.workspace.add({
    channel: channel.id,
    user: server.bot.id,
    botId: server.bot.botId,
    // Slack cuts what is longer than this.
    text: text.slice(0, 40_000),
    threadTs,
    blocks,
    metadata: checkMetadata(args["metadata"]),
  });
  return { channel: channel.id, ts: message.ts, message: wireMessage(message, false) };
}

function updateMessage({ args, server }: SlackCall): Record<string, unknown> {
  const message = ownMessage({ args, server }, "cant_update_message");
  const blocks = args["blocks"] === undefined ? message.blocks : checkBlocks(args["blocks"]);
  const text = textOf(args["text"]);
  if (text === "" && blocks.length === 0) throw new SlackFault("no_text");
  if (Buffer.byteLength(text) > 4000) throw new SlackFault("msg_too_long");
  message.edits.push(message.text);
  message.text = text;
  message.blocks = blocks;
  message.metadata =
    args["metadata"] === undefined ? message.metadata : checkMetadata(args["metadata"]);
  return { channel: message.channel, ts: message.ts, text };
}

function deleteMessage({ args, server }: SlackCall): Record<string, unknown> {
  const message = ownMessage({ args, server }, "cant_delete_message");
  message.deleted = true;
  return { channel: message.channel, ts: message.ts };
}

function ownMessage({ args, server }: SlackCall, refusal: string): SlackMessage {
  const channel = readableChannel(server.workspace, args["channel"]);
  const message = server.workspace.find(channel.id, textOf(args["ts"]));
  if (message === undefined) throw new SlackFault("message_not_found");
  if (message.user !== server.bot.id) throw new SlackFault(refusal);
  return message;
}

function fileInfo({ args, server }: SlackCall): Record<string, unknown> {
  const file = server.workspace.files.get(textOf(args["file"]));
  if (file === undefined) throw new SlackFault("file_not_found");
  return { file: server.wireFile(file) };
}

function getUploadUrl({ args, server }: SlackCall): Record<string, unknown> {
  const filename = textOf(args["filename"]);
  const length = Number(args["length"]);
  if (filename === "" || !(length > 0)) throw new SlackFault("invalid_arguments");
  const file = server.workspace.addFile({ name: filename, bytes: new Uint8Array() });
  const ticket = createHash("sha256").update(file.id).digest("hex").slice(0, 24);
  server.uploads.set(ticket, { fileId: file.id, length });
  return { upload_url: `${server.url}/upload/v1/${ticket}`, file_id: file.id };
}

function completeUpload({ args, server }: SlackCall): Record<string, unknown> {
  const entries = Array.isArray(args["files"]) ? args["files"] : [];
  const files = entries.map((entry: unknown) => {
    const file = server.workspace.files.get(textOf(member(entry, "id")));
    if (file === undefined || file.bytes.length === 0) throw new SlackFault("file_not_found");
    return file;
  });
  if (files.length === 0) throw new SlackFault("invalid_arguments");
  if (args["channel_id"] !== undefined) {
    const channel = postableChannel(server.workspace, args["channel_id"]);
    const threadTs = checkThread(args["thread_ts"]);
    for (const file of files) file.shares.push({ channel: channel.id, threadTs });
    server.workspace.add({
      channel: channel.id,
      user: server.bot.id,
      botId: server.bot.botId,
      text: textOf(args["initial_comment"]),
      threadTs,
      files: files.map((file) => server.wireFile(file)),
    });
  }
  return { files: files.map((file) => ({ id: file.id, title: file.name })) };
}

function setStatus({ args, server }: SlackCall): Record<string, unknown> {
  const channel = readableChannel(server.workspace, args["channel_id"]);
  const thread = checkThread(args["thread_ts"]);
  if (thread === undefined) throw new SlackFault("invalid_thread_ts");
  server.statuses.push({ channel: channel.id, thread, status: textOf(args["status"]) });
  return {};
}

function addReaction({ args, server }: SlackCall): Record<string, unknown> {
  const channel = readableChannel(server.workspace, args["channel"]);
  const ts = textOf(args["timestamp"]);
  const name = textOf(args["name"]);
  if (server.workspace.find(channel.id, ts) === undefined)
    throw new SlackFault("message_not_found");
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw new SlackFault("invalid_name");
  const same = (one: { channel: string; ts: string; name: string }) =>
    one.channel === channel.id && one.ts === ts && one.name === name;
  if (server.reactions.some(same)) throw new SlackFault("already_reacted");
  server.reactions.push({ channel: channel.id, ts, name });
  return {};
}
