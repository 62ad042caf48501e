import type { ChannelExtension } from "./channel.ts";
import type { EmbedderExtension } from "./embedder.ts";
import type { ProviderExtension } from "./provider.ts";
import type { ToolSetExtension } from "./tool.ts";
import type { VectorStoreExtension } from "./vector-store.ts";

/** Everything that can be plugged in. One object literal from one factory; see extensions/index.ts. */
export type Extension =
  | ChannelExtension
  | ProviderExtension
  | ToolSetExtension
  | EmbedderExtension
  | VectorStoreExtension;

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

export function defineEmbedder<Settings>(
  extension: EmbedderExtension<Settings>,
): EmbedderExtension {
  return extension as unknown as EmbedderExtension;
}

export function defineVectorStore(extension: VectorStoreExtension): VectorStoreExtension {
  return extension;
}
