import type { InboxItem } from "#contract/inbox.ts";

/**
 * What API callers say about the requests that a turn answers. Mostly it is one request; those that
 * were set aside together may be several, each with words of its own, which are not for the others.
 */
export function instructionsOf(items: readonly Pick<InboxItem, "extra">[]): string | undefined {
  const given = items.map(({ extra }) => extra.instructions);
  if (new Set(given).size <= 1) return given[0];
  return given
    .flatMap((text, index) =>
      text === undefined
        ? []
        : [`For message ${index + 1} of the ${given.length} that wait for an answer:\n${text}`],
    )
    .join("\n\n");
}
