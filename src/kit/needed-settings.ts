import { z } from "zod";

/**
 * Marks optional settings without which a channel can send but never hear: `z.string().optional()
 * .register(neededSettings, {})`. The channel is made all the same, so that what is under way still
 * leaves and set-up can say what is wrong; but it does not count as set up.
 */
export const neededSettings = z.registry<object>();

/** Names of the marked settings of a schema that have no value. */
export function absentSettings(
  schema: z.ZodType,
  given: Readonly<Record<string, unknown>>,
): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, setting]) => {
    const marked = setting instanceof z.ZodType && neededSettings.has(setting);
    return marked && (given[name] ?? "") === "" ? [name] : [];
  });
}
