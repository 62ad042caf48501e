import type { Tool } from "@anthropic-ai/sdk/resources/messages";
import type { ToolSchema } from "#contract/model.ts";
import { portableSchema } from "#kit/model/portable-schema.ts";
import type { ToolNames } from "#kit/model/wire-names.ts";

/**
 * Our tools → Anthropic's. The API refuses a whole request for one schema with combinators at the top
 * or a name with a dot in it; both are cleaned here. Order is kept, because tools begin the cached
 * prefix.
 */
export function toolsToWire(tools: readonly ToolSchema[], names: ToolNames): Tool[] {
  return tools.map((tool) => ({
    name: names.toWire(tool.name),
    description: tool.description,
    input_schema: { ...portableSchema(tool.parameters), type: "object" },
  }));
}
