import type { ChannelExtension } from "./channel.ts";
import type { ProviderExtension } from "./provider.ts";
import type { ToolSetExtension } from "./tool.ts";

/** Everything that can be plugged in. One object literal from one factory; see extensions/index.ts. */
export type Extension = ChannelExtension | ProviderExtension | ToolSetExtension;

/** Keeps the settings type inferred from the schema while the list stays uniform. */
export function defineChannel<Settings>(extension: ChannelExtension<Settings>): ChannelExtension {
  return extension as unknown as ChannelExtension;
}

export function defineProvider<Settings>(
  extension: ProviderExtension<Settings>,
): ProviderExtension {
  return extension as unknown as ProviderExtension;
}

export function defineToolSet(extension: ToolSetExtension): ToolSetExtension {
  return extension;
}
