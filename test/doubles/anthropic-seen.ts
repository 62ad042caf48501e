import { z } from "zod";
import type { RecordedRequest } from "./double-server.ts";
import type { ModelCall, SeenMessage } from "./model-script.ts";

/** A request to Anthropic → the neutral view a script sees. Reads leniently; rules are elsewhere. */
const blockSchema = z.looseObject({ type: z.string() });
const contentSchema = z.union([
  z.string().transform((text) => [{ type: "text", text }]),
  z.array(blockSchema),
]);
const bodySchema = z.looseObject({
  model: z.string().catch(""),
  system: contentSchema.catch([]),
  messages: z
    .array(z.looseObject({ role: z.string(), content: contentSchema.catch([]) }))
    .catch([]),
  tools: z.array(z.looseObject({ name: z.string() })).catch([]),
  stream: z.boolean().catch(false),
});
type Block = z.infer<typeof blockSchema>;

export function anthropicCall(request: RecordedRequest, index: number): ModelCall {
  const raw = z.record(z.string(), z.unknown()).catch({}).parse(request.json);
  const body = bodySchema.parse(raw);
  const messages = body.messages.map(seen);
  return {
    index,
    path: new URL(request.path, "http://double").pathname,
    model: body.model,
    system: textOf(body.system),
    messages,
    tools: body.tools.map((tool) => tool.name),
    userText:
      messages.findLast((message) => message.role === "user" && message.text !== "")?.text ?? "",
    stream: body.stream,
    headers: request.headers,
    body: raw,
  };
}

function seen({ role, content }: { role: string; content: Block[] }): SeenMessage {
  return {
    role: role === "assistant" ? "assistant" : "user",
    text: textOf(content),
    media: content
      .filter((block) => block.type === "image" || block.type === "document")
      .map(mediaType),
    toolCalls: content
      .filter((block) => block.type === "tool_use")
      .map((block) => ({
        id: String(block["id"]),
        name: String(block["name"]),
        arguments: JSON.stringify(block["input"]),
      })),
    toolResults: content
      .filter((block) => block.type === "tool_result")
      .map((block) => ({
        id: String(block["tool_use_id"]),
        text: textOf(contentSchema.catch([]).parse(block["content"])),
        isError: block["is_error"] === true,
      })),
  };
}

function textOf(blocks: readonly Block[]): string {
  return blocks
    .map((block) => (block.type === "text" ? String(block["text"]) : ""))
    .filter((text) => text !== "")
    .join("\n");
}

function mediaType(block: Block): string {
  return z.object({ media_type: z.string() }).catch({ media_type: "" }).parse(block["source"])
    .media_type;
}
