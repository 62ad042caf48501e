import type { JsonObject, JsonValue } from "#contract/json.ts";

/**
 * Joins cleaned schemas: all of several (`allOf`, a reference with its siblings), and the alternatives
 * at the top of a tool's arguments, which no provider takes. The second is a widening: an argument of
 * any alternative is allowed, only what all of them require stays required.
 */

/** A schema that says what all of these say; on a conflict the first one wins. */
export function combine(schemas: readonly JsonObject[]): JsonObject {
  return schemas.reduce(
    (merged, next) => ({
      ...next,
      ...merged,
      ...joined("properties", {
        ...objectOf(next["properties"]),
        ...objectOf(merged["properties"]),
      }),
      ...joined("required", [...new Set([...namesOf(merged), ...namesOf(next)])]),
    }),
    {},
  );
}

/** The top of a tool's arguments: always an object, without alternatives. */
export function flattenRoot(schema: JsonObject): JsonObject {
  const { anyOf, enum: _values, items: _items, type: _type, ...rest } = schema;
  const branches = Array.isArray(anyOf) ? anyOf.map(objectOf) : [];
  const members: Record<string, JsonValue[]> = {};
  for (const branch of [rest, ...branches]) {
    for (const [name, value] of Object.entries(objectOf(branch["properties"]))) {
      (members[name] ??= []).push(value ?? {});
    }
  }
  const always = branches
    .map(namesOf)
    .reduce<string[] | undefined>(
      (common, names) => common?.filter((name) => names.includes(name)) ?? names,
      undefined,
    );
  const required = [...new Set([...namesOf(rest), ...(always ?? [])])];
  // Every branch that forbids further members did so without knowing the others.
  const { additionalProperties, required: _required, ...shown } = rest;
  return {
    ...shown,
    type: "object",
    properties: Object.fromEntries(
      Object.entries(members).map(([name, all]) => [name, either(all)]),
    ),
    ...(required.length > 0 ? { required } : {}),
    ...(additionalProperties === undefined || branches.length > 0 ? {} : { additionalProperties }),
  };
}

function either(schemas: readonly JsonValue[]): JsonValue {
  const unique = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return unique.length === 1 ? unique[0]! : { anyOf: unique };
}

function joined(key: string, value: JsonObject | string[]): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}

function namesOf(schema: JsonObject): string[] {
  const required = schema["required"];
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
