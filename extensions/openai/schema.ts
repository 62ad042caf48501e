import type { ChatCompletionFunctionTool } from "openai/resources/chat/completions";
import type { FunctionTool } from "openai/resources/responses/responses";
import type { ToolSchema } from "#contract/model.ts";
import { portableSchema } from "#kit/model/portable-schema.ts";
import type { ToolNames } from "#kit/model/wire-names.ts";

/**
 * Our tools → OpenAI's, in the two shapes its APIs want. Not `strict`: that mode takes a smaller subset
 * of JSON Schema and makes every optional argument required. Order is kept for the prompt cache.
 */
export function chatTools(
  tools: readonly ToolSchema[],
  names: ToolNames,
): ChatCompletionFunctionTool[] {
  return tools.map((tool) => ({
    type: "function",
    function: {
      name: names.toWire(tool.name),
      description: tool.description,
      parameters: portableSchema(tool.parameters),
    },
  }));
}

export function responsesTools(tools: readonly ToolSchema[], names: ToolNames): FunctionTool[] {
  return tools.map((tool) => ({
    type: "function",
    name: names.toWire(tool.name),
    description: tool.description,
    parameters: portableSchema(tool.parameters),
    strict: false,
  }));
}
