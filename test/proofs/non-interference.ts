import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { eager, reasonable } from "#test/doubles/dream-models.ts";
import { EmbedderDouble } from "#test/doubles/memory-world.ts";
import { histories } from "./histories.ts";
import { live, observe } from "./live.ts";

/**
 * Promise 2 over the whole memory: a history is lived twice, with what comes from outside and without
 * it. What gets anywhere by itself is the same, byte for byte. `differs` is told of the first pair of
 * lives that are not, after it was made as small as it gets.
 */
export async function nonInterference(
  numRuns: number,
  differs: (beside: unknown, without: unknown) => void,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      histories(14),
      fc.constantFrom(null, eager, reasonable),
      fc.boolean(),
      async (events, model, embeds) => {
        const options = () => ({
          model,
          embedder: embeds ? new EmbedderDouble("fake/eight", 8) : null,
        });
        const life = await live(events, null, options());
        const beside = await observe(life);
        const without = await observe(await live(events, life.course, options()));
        if (!isDeepStrictEqual(beside, without)) differs(beside, without);
      },
    ),
    { numRuns },
  );
}
