import { jsonBytes } from "#kit/text/json-bytes.ts";

/**
 * Undoing nights: which kept version comes back. A night is undone only while MEMORY.md is what that night
 * left: an owner's later edit is not thrown away with it. Undoing again goes one night further back.
 * What was dreamt stays settled, so that it does not come back the next night.
 */
export const maxImages = 8;
/** They are kept in one row. */
const maxImagesBytes = 1_500_000;

export interface DreamImage {
  readonly runId: string;
  readonly at: number;
  /** MEMORY.md before the night; null = there was none. */
  readonly before: string | null;
  /** Hash of what the night left. */
  readonly afterHash: string;
}

export type UndoTarget =
  | { readonly type: "restore"; readonly image: DreamImage }
  | { readonly type: "nothing-kept" }
  /** Somebody has edited the file since; `image` is what could be restored all the same. */
  | { readonly type: "changed-since"; readonly image: DreamImage };

/** The images with one more, the oldest dropped. The same run again replaces its own. */
export function keepImage(images: readonly DreamImage[], image: DreamImage): DreamImage[] {
  const others = images.filter(({ runId }) => runId !== image.runId);
  // In the order of the nights, whatever the clock said: one that was set back must not lose the latest.
  const kept = [...others, image].slice(-maxImages);
  while (kept.length > 1 && jsonBytes(kept) > maxImagesBytes) kept.shift();
  return kept;
}

/**
 * `images` in the order of the nights. `runId` asks for one night; without it, the latest that left the present
 * file.
 */
export function undoTarget(
  images: readonly DreamImage[],
  presentHash: string | null,
  runId?: string,
): UndoTarget {
  const kept = images.filter((image) => runId === undefined || image.runId === runId);
  const latest = kept.at(-1);
  if (latest === undefined) return { type: "nothing-kept" };
  const fits = kept.findLast(({ afterHash }) => afterHash === presentHash);
  return fits ? { type: "restore", image: fits } : { type: "changed-since", image: latest };
}
