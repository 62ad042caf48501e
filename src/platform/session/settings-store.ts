import { eq } from "drizzle-orm";
import type { JsonValue } from "#contract/json.ts";
import type { SettingsStore } from "#contract/session-store.ts";
import { given, givenRow, named, statement } from "#platform/statement.ts";
import { setting } from "./schema.ts";

const allRows = statement((database) => database.select().from(setting));

const setRow = statement((database) =>
  database
    .insert(setting)
    .values(givenRow(setting))
    .onConflictDoUpdate({ target: setting.name, set: { value: given(setting.value, "value") } }),
);

const deleteRow = statement((database) =>
  database.delete(setting).where(eq(setting.name, named("name"))),
);

/**
 * Named values. Read once per object life and kept in memory: this object is their only writer, and
 * a transaction that rolls back calls `forget`.
 */
export function createSettingsStore(
  storage: DurableObjectStorage,
): SettingsStore & { forget(): void } {
  let cache: Map<string, JsonValue> | null = null;
  const values = () => {
    cache ??= new Map(
      allRows(storage)
        .all()
        // What is no JSON is absent; what it should be, its reader knows.
        .flatMap(({ name, value }) => (value === undefined ? [] : [[name, value as JsonValue]])),
    );
    return cache;
  };
  return {
    get: (name) => values().get(name),
    set(name, value) {
      if (isSame(values().get(name), value)) return;
      setRow(storage).run({ name, value });
      values().set(name, value);
    },
    delete(name) {
      deleteRow(storage).run({ name });
      values().delete(name);
    },
    forget() {
      cache = null;
    },
  };
}

function isSame(known: JsonValue | undefined, value: JsonValue): boolean {
  if (known === value) return true;
  return typeof value === "object" && JSON.stringify(known) === JSON.stringify(value);
}
