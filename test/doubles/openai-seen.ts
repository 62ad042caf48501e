import { z } from "zod";
import type { RecordedRequest } from "./double-server.ts";
import type { ModelCall, SeenMessage } from "./model-script.ts";

/**
 * A request to either of OpenAI's APIs → the neutral view a script sees. Reads leniently; the rules are
 * elsewhere.
 */
const partSchema = z.looseObject({ type: z.string() });
const contentSchema = z
  .union([z.string().transform((text) => [{ type: "text", text }]), z.array(partSchema)])
  .catch([]);
type Part = z.infer<typeof partSchema>;

const messageSchema = z.looseObject({
  type: z.string().catch("message"),
  role: z.string().catch(""),
  content: contentSchema,
  tool_calls: z
    .array(
      z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
    )
    .catch([]),
});
type Message = z.infer<typeof messageSchema>;

const bodySchema = z.looseObject({
  model: z.string().catch(""),
  instructions: z.string().catch(""),
  messages: z.array(messageSchema).catch([]),
  input: z
    .union([
      z.string().transform((text) => [messageSchema.parse({ role: "user", content: text })]),
      z.array(messageSchema),
    ])
    .catch([]),
  tools: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        function: z.object({ name: z.string() }).optional(),
      }),
    )
    .catch([]),
  stream: z.boolean().catch(false),
});

export function openAiCall(request: RecordedRequest, index: number): ModelCall {
  const raw = z.record(z.string(), z.unknown()).catch({}).parse(request.json);
  const body = bodySchema.parse(raw);
  const all = [...body.messages, ...body.input];
  const isSystem = (message: Message) => message.role === "system" || message.role === "developer";
  const system = [body.instructions, ...all.filter(isSystem).map(({ content }) => textOf(content))];
  const messages = all.filter((message) => !isSystem(message)).map(seen);
  return {
    index,
    path: new URL(request.path, "http://double").pathname,
    model: body.model,
    system: system.filter((text) => text !== "").join("\n"),
    messages,
    tools: body.tools.map((tool) => tool.function?.name ?? tool.name ?? ""),
    userText:
      messages.findLast((message) => message.role === "user" && message.text !== "")?.text ?? "",
    stream: body.stream,
    headers: request.headers,
    body: raw,
  };
}

function seen(message: Message): SeenMessage {
  const nothing = { text: "", media: [], toolCalls: [], toolResults: [] };
  if (message.type === "function_call") {
    const { call_id, name, arguments: args } = message;
    const toolCall = { id: String(call_id), name: String(name), arguments: String(args) };
    return { ...nothing, role: "assistant", toolCalls: [toolCall] };
  }
  if (message.type === "function_call_output") {
    return toolMessage(String(message["call_id"]), String(message["output"]));
  }
  if (message.role === "tool") {
    return toolMessage(String(message["tool_call_id"]), textOf(message.content));
  }
  return {
    ...nothing,
    role: message.role === "assistant" || message.type === "reasoning" ? "assistant" : "user",
    text: textOf(message.content),
    media: message.content.flatMap(mediaType),
    toolCalls: message.tool_calls.map((call) => ({ id: call.id, ...call.function })),
  };
}

/** These APIs have no flag for errors; ours begin so. */
function toolMessage(id: string, text: string): SeenMessage {
  const result = { id, text, isError: text.startsWith("Error: ") };
  return { role: "tool", text, media: [], toolCalls: [], toolResults: [result] };
}

function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => (typeof part["text"] === "string" ? part["text"] : ""))
    .filter((text) => text !== "")
    .join("\n");
}

function mediaType(part: Part): string[] {
  const urls = JSON.stringify(part).matchAll(/"data:([a-z]+\/[a-z0-9.+-]+);base64,/g);
  return [...urls].map(([, type]) => type!);
}
