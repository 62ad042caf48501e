import type { CustomToolConfig } from "#contract/config.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import type { Tool } from "#contract/tool.ts";
import { customTool } from "./tool.ts";

/**
 * HTTP endpoints of the operator's as tools: one per entry of `tools.custom`. Not a tool set with a
 * fixed list, so the registry calls this with the entries of its configuration.
 */
export function createCustomTools(
  configs: readonly CustomToolConfig[],
  ports: ExtensionPorts,
): Tool[] {
  return configs.map((config) => customTool(config, ports));
}
