import { z } from "zod";
import type { JsonObject } from "#contract/json.ts";
import type { ToolSchema } from "#contract/model.ts";
import type { Tool } from "#contract/tool.ts";

/** What the model is told of a tool. Built once per tool: the bytes in front of a prompt must not move. */
const schemas = new WeakMap<Tool, ToolSchema>();

export function toolSchema(tool: Tool): ToolSchema {
  const known = schemas.get(tool);
  if (known) return known;
  const { $schema: _schema, ...parameters } = z.toJSONSchema(tool.parameters, { io: "input" });
  const schema = {
    name: tool.name,
    description: tool.description,
    parameters: parameters as JsonObject,
  };
  schemas.set(tool, schema);
  return schema;
}
