import { externalFrame } from "#kit/external-content.ts";
import type { ModelMessage, ModelRequest, ToolCall, ToolResult } from "#contract/model.ts";

/**
 * What the demo looks at in a request: what was said last, which of its own calls came back, whether
 * it has spoken before. Lines of the product itself, and what it merely overheard or was
 * forwarded, are not words to act on.
 */
export interface RequestView {
  /** Texts that wait for an answer; empty while calls are coming back. */
  readonly said: readonly string[];
  /** Texts of the last message, also while calls are coming back. */
  readonly asked: readonly string[];
  /** Calls since then with their results, in order; empty unless some have just come back. */
  readonly finished: readonly { readonly call: ToolCall; readonly result: ToolResult }[];
  /** The person's own texts before the last message, as far as the request has them. */
  readonly earlier: readonly string[];
  readonly isFirstReply: boolean;
  /** Number of calls made so far, for ids that do not repeat. */
  readonly calls: number;
  readonly isChinese: boolean;
  readonly hasTool: (name: string) => boolean;
}

const maxTexts = 5;
const notForUs = /^\s*(?:\[(?:Pagurus|overheard|forwarded message)|.{1,80}: \[overheard\])/;

export function viewRequest(request: ModelRequest): RequestView {
  const { messages, tools } = request;
  const last = messages.at(-1);
  const texts = last?.role === "user" ? saidIn(last) : [];
  const names = new Set(tools.map((tool) => tool.name));
  const spoken = messages.flatMap((message) =>
    message.role === "assistant" ? message.content : [],
  );
  return {
    said: texts.slice(-maxTexts),
    asked: lastTexts(messages).slice(-maxTexts),
    finished: last?.role === "tool" ? finishedCalls(messages) : [],
    earlier: earlierTexts(messages),
    isFirstReply: !spoken.some((part) => part.type === "text") && !isContinued(messages),
    calls: spoken.filter((part) => part.type === "tool-call").length,
    isChinese: /[\u4e00-\u9fff]/.test(lastTexts(messages).join("\n")),
    hasTool: (name) => names.has(name),
  };
}

type UserMessage = Extract<ModelMessage, { role: "user" }>;

function saidIn(message: UserMessage): string[] {
  const texts = message.content.flatMap((part) =>
    part.type === "text" ? [unframed(part.text)] : [],
  );
  return texts.filter((text) => !notForUs.test(text)).map(withoutQuote);
}

/** A guest's words, too, are words to answer: the demo does nothing that could do harm. */
function unframed(text: string): string {
  return text.replace(
    /^([^\n]{1,80}: )?(<<<EXTERNAL[^]*)$/,
    (all, name: string | undefined, framed: string) => {
      const inside = externalFrame.exec(framed)?.[1];
      return inside === undefined ? all : (name ?? "") + inside;
    },
  );
}

/** Without the line that says which message this one answers. */
function withoutQuote(text: string): string {
  return text.replace(/^\[in reply to [^\n]*\]\n/, "");
}

function lastTexts(messages: readonly ModelMessage[]): string[] {
  const message = messages.findLast((one): one is UserMessage => one.role === "user");
  return message ? saidIn(message) : [];
}

function earlierTexts(messages: readonly ModelMessage[]): string[] {
  const own = messages.filter((one): one is UserMessage => one.role === "user").slice(0, -1);
  return own.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "text" && isOwn(part.text) ? [part.text] : [])),
  );
}

function isOwn(text: string): boolean {
  return !notForUs.test(text) && !text.includes("<<<EXTERNAL");
}

/** Older turns were left out: the greeting was among them. */
function isContinued(messages: readonly ModelMessage[]): boolean {
  const first = messages[0];
  const text =
    first?.role === "user" && first.content[0]?.type === "text" ? first.content[0].text : "";
  return /^\[Pagurus\] \d+ older turns? /.test(text);
}

function finishedCalls(
  messages: readonly ModelMessage[],
): { call: ToolCall; result: ToolResult }[] {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const results = since.flatMap((each) => (each.role === "tool" ? each.results : []));
  return since
    .flatMap((each) => (each.role === "assistant" ? each.content : []))
    .flatMap((call) => {
      if (call.type !== "tool-call") return [];
      const result = results.find((one) => one.callId === call.id);
      return result ? [{ call, result: { ...result, text: unframed(result.text) } }] : [];
    });
}
