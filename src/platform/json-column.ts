import { customType } from "drizzle-orm/sqlite-core";

/**
 * A column of JSON text. What comes out is `unknown`, and undefined where the text is no JSON: whoever
 * reads checks it against a schema, so that one broken row costs that row and not the whole query.
 */
export const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => "text",
  toDriver: (value) => JSON.stringify(value),
  fromDriver(text) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  },
});
