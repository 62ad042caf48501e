import { z } from "zod";

/**
 * What is remembered of a source: which generation was sent, what proves that it is seen, and what lies
 * there of older ones. Written before anything is sent, so that a crash leaves nothing behind that
 * nobody knows of. A lost note only means that the source is sent again.
 */
const partSchema = z.object({
  generation: z.number(),
  /** Positions are below it. */
  size: z.number(),
});
export type StalePart = z.infer<typeof partSchema>;

const noteSchema = z.object({
  current: partSchema
    .extend({
      rows: z.number(),
      /** Id of the change that brought the last of it; null = not sent. */
      mutation: z.string().nullable(),
      /** When that was accepted; grows with every change. */
      at: z.number(),
      seen: z.boolean(),
    })
    .nullable(),
  stale: z.array(partSchema),
});
export type Note = z.infer<typeof noteSchema>;
export type CurrentPart = NonNullable<Note["current"]>;

export function readNote(text: string): Note | undefined {
  try {
    return noteSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // As good as lost.
  }
}

/** The same with nothing current: what was, is to be deleted. */
export function superseded(note: Note | undefined): Note {
  if (!note) return { current: null, stale: [] };
  const { current, stale } = note;
  const left = current === null || current.size === 0 ? [] : [current];
  return {
    current: null,
    stale: [...stale, ...left.map(({ generation, size }) => ({ generation, size }))],
  };
}
