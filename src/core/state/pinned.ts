/** Is a conversation among those of which nothing is put away? By its key or its address, without case. */
export function isPinned(
  pinned: readonly string[],
  { sessionKey, address }: { readonly sessionKey: string; readonly address?: string | null },
): boolean {
  const names = pinned.map((name) => name.toLowerCase());
  const own = [sessionKey, ...(address ? [address] : [])].map((name) => name.toLowerCase());
  return own.some((name) => names.includes(name));
}
