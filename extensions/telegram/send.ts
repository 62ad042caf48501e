import type { OutboundPart, SendContext, SendResult } from "#contract/channel.ts";
import type { ReplyRoute } from "#contract/message.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { type BotApi, sentMessageId } from "./api.ts";
import { type CallFault, faultResult, isUnreadable } from "./fault.ts";
import { type MediaPart, partSchema, type TelegramPart } from "./part.ts";
import { type Attempt, buildRequest, type LoadedFile } from "./request.ts";

/**
 * Sends one part. What Telegram refused for a reason we can remove (mark-up it cannot read, a topic that
 * is gone, a group that moved, a picture it cannot show) is sent once more without that reason; each
 * reason counts once, and `claim` is asked before each further request. Everything else is for the
 * outbox to decide. Rejects only with what `claim` throws.
 */
export async function sendTelegram(
  api: BotApi,
  outbound: OutboundPart,
  route: ReplyRoute,
  context: SendContext,
): Promise<SendResult> {
  const parsed = partSchema.safeParse(outbound.payload);
  if (!parsed.success) return { status: "failed", reason: "not a part for Telegram" };
  const part = parsed.data;
  const loaded = part.type === "media" ? await loadFiles(part, context) : ok([]);
  if (!loaded.ok) return loaded.error;
  // Reading files gave others a chance to replace this runner.
  if (part.type === "media") context.claim();
  return attemptAll(api, { part, files: loaded.value, route, context });
}

interface Delivery {
  readonly part: TelegramPart;
  readonly files: readonly LoadedFile[];
  readonly route: ReplyRoute;
  readonly context: SendContext;
}

const uploadTimeoutMs = 120_000;

async function attemptAll(api: BotApi, delivery: Delivery): Promise<SendResult> {
  const { part, files, route, context } = delivery;
  const options = {
    signal: context.signal,
    ...(files.length > 0 && { timeoutMs: uploadTimeoutMs }),
  };
  let attempt: Attempt = {
    chatId: route.conversation,
    thread: route.thread,
    plain: false,
    asDocument: false,
  };
  for (;;) {
    const outcome = await api.call(buildRequest(part, files, attempt), options);
    if (outcome.ok) return sentResult(outcome.value, attempt, route);
    const next = nextAttempt(attempt, outcome.error);
    if (!next) return faultResult(outcome.error, "once");
    context.claim();
    attempt = next;
  }
}

function sentResult(answer: unknown, attempt: Attempt, route: ReplyRoute): SendResult {
  const messageId = sentMessageId(answer);
  if (messageId === undefined) return { status: "unknown", reason: "Telegram's answer has no id" };
  const moved = attempt.chatId !== route.conversation;
  return {
    status: "sent",
    messageId,
    ...(moved && { movedTo: { conversation: attempt.chatId } }),
  };
}

/** The same without what was refused; undefined when nothing is left to change. */
function nextAttempt(attempt: Attempt, fault: CallFault): Attempt | undefined {
  if (fault.kind === "moved") {
    if (fault.chatId === attempt.chatId) return undefined;
    return { ...attempt, chatId: fault.chatId };
  }
  if (fault.kind !== "refused" || fault.code !== 400) return undefined;
  if (!attempt.plain && isUnreadable(fault)) return { ...attempt, plain: true };
  if (attempt.thread !== undefined && /message thread not found/i.test(fault.description)) {
    return { ...attempt, thread: undefined };
  }
  const unfit = /PHOTO_INVALID_DIMENSIONS|IMAGE_PROCESS_FAILED|PHOTO_EXT_INVALID/i;
  if (!attempt.asDocument && unfit.test(fault.description)) return { ...attempt, asDocument: true };
  return undefined;
}

const maxUploadBytes = 50 * 1024 * 1024;

/** The bytes of a part's files. Files that are gone are left out; all gone and no caption = failed. */
async function loadFiles(
  part: MediaPart,
  context: SendContext,
): Promise<Result<LoadedFile[], SendResult>> {
  const files: LoadedFile[] = [];
  for (const file of part.files) {
    const media = await readFile(file.mediaKey, context);
    if (!media.ok) return media;
    if (media.value && media.value.bytes.length > 0) files.push({ file, media: media.value });
  }
  const large = files.find(({ media }) => media.bytes.length > maxUploadBytes);
  if (large) {
    return err({ status: "failed", reason: `${large.file.name} is larger than 50 MB` });
  }
  if (files.length === 0 && !part.caption) {
    return err({ status: "failed", reason: "the file is no longer stored" });
  }
  return ok(files);
}

async function readFile(mediaKey: string, context: SendContext) {
  try {
    return ok(await context.readMedia(mediaKey));
  } catch {
    return err<SendResult>({ status: "retry", reason: "a stored file could not be read" });
  }
}
