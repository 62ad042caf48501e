/** Files deployed beside the code (`assets/`), read over their binding; the world cannot reach them. */
export type AssetReader = (name: string) => Promise<ArrayBuffer | null>;

/** Throws when the binding fails; null = there is no such file. */
export function createAssetReader(binding: Pick<Fetcher, "fetch">): AssetReader {
  return async (name) => {
    // The host means nothing to the binding, but a URL needs one.
    const response = await binding.fetch(`https://assets.invalid/${name}`);
    if (response.ok) return response.arrayBuffer();
    await response.body?.cancel();
    if (response.status === 404) return null;
    throw new Error(`assets/${name} cannot be read: HTTP ${response.status}`);
  };
}
