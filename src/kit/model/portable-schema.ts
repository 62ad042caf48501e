import type { JsonObject, JsonValue } from "#contract/json.ts";
import { combine, flattenRoot } from "./schema-merge.ts";

/**
 * JSON Schema (draft 2020-12, as zod writes it) → the subset that every model provider takes for tool
 * arguments: an object at the top without combinators, references in place, no conditionals. It makes
 * schemas wider, never narrower: arguments are checked against the real schema before a tool runs.
 * Trade-off: recursion ends in "anything" after one round, because half of the servers refuse `$ref`.
 */
const maxDepth = 16;
const maxNodes = 3000;

const typeNames = ["string", "number", "integer", "boolean", "object", "array", "null"];
const isText = (value: JsonValue) => typeof value === "string";
const isNumber = (value: JsonValue) => typeof value === "number";
// Zod writes the range of safe integers on every integer: noise, and too large for some servers.
const isBound = (value: JsonValue) =>
  typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
const isTypeName = (value: JsonValue) => typeof value === "string" && typeNames.includes(value);

/** Keywords that are copied, each with what its value must be. */
const copied: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  type: (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(isTypeName) : isTypeName(value),
  description: isText,
  default: () => true,
  enum: (value) => Array.isArray(value) && value.length > 0,
  format: isText,
  pattern: (value) => typeof value === "string" && isPlainPattern(value),
  minimum: isBound,
  maximum: isBound,
  exclusiveMinimum: isBound,
  exclusiveMaximum: isBound,
  multipleOf: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
};

interface Walk {
  readonly root: JsonObject;
  /** References being followed, to find recursion. */
  readonly following: readonly string[];
  readonly depth: number;
  readonly budget: { nodes: number };
}

/** Tools keep their schema for life, and each request would clean all of them anew. */
const cleaned = new WeakMap<JsonObject, JsonObject>();

/**
 * The cleaned schema; its top is always `{ type: "object", properties }`. Never throws. The same object
 * gives the same answer: neither may be changed.
 */
export function portableSchema(schema: JsonObject): JsonObject {
  const known = cleaned.get(schema);
  if (known) return known;
  const budget = { nodes: maxNodes };
  const clean = flattenRoot(convert(schema, { root: schema, following: [], depth: 0, budget }));
  cleaned.set(schema, clean);
  return clean;
}

function convert(node: JsonValue | undefined, walk: Walk): JsonObject {
  walk.budget.nodes -= 1;
  if (!isObject(node) || walk.depth > maxDepth || walk.budget.nodes < 0) return {};
  const deeper = { ...walk, depth: walk.depth + 1 };
  const own = {
    ...plainKeywords(node),
    ...objectKeywords(node, deeper),
    ...arrayKeywords(node, deeper),
  };
  const parts = listOf(node["allOf"]).map((part) => convert(part, deeper));
  const target = typeof node["$ref"] === "string" ? follow(node["$ref"], deeper) : {};
  return combine([own, ...parts, target, alternatives(node, deeper)]);
}

function plainKeywords(node: JsonObject): JsonObject {
  const entries = Object.entries(node).filter(([key, value]) => isPlainKeyword(key, value));
  const result: JsonObject = Object.fromEntries(entries);
  if (node["const"] !== undefined) result["enum"] = [node["const"]];
  return result["type"] === undefined && isStringEnum(result["enum"])
    ? { type: "string", ...result }
    : result;
}

function isPlainKeyword(key: string, value: JsonValue | undefined): boolean {
  return value !== undefined && Object.hasOwn(copied, key) && copied[key]!(value);
}

function isStringEnum(values: JsonValue | undefined): boolean {
  return (
    Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === "string")
  );
}

function objectKeywords(node: JsonObject, walk: Walk): JsonObject {
  const result: JsonObject = {};
  if (isObject(node["properties"])) {
    const members = Object.entries(node["properties"]).filter(([, value]) => value !== false);
    result["properties"] = Object.fromEntries(
      members.map(([name, value]) => [name, convert(value, walk)]),
    );
    const names = members.map(([name]) => name);
    const required = listOf(node["required"]).filter(
      (name): name is string => typeof name === "string" && names.includes(name),
    );
    if (required.length > 0) result["required"] = required;
  }
  const others = node["additionalProperties"];
  if (typeof others === "boolean") result["additionalProperties"] = others;
  if (isObject(others)) result["additionalProperties"] = convert(others, walk);
  return result;
}

function arrayKeywords(node: JsonObject, walk: Walk): JsonObject {
  const tuple = listOf(node["prefixItems"] ?? node["items"]);
  if (tuple.length > 0) {
    const items = tuple.map((item) => convert(item, walk));
    return { items: items.length === 1 ? items[0] : { anyOf: items } };
  }
  if (isObject(node["items"])) return { items: convert(node["items"], walk) };
  return node["type"] === "array" ? { items: {} } : {};
}

function alternatives(node: JsonObject, walk: Walk): JsonObject {
  const options = [...listOf(node["anyOf"]), ...listOf(node["oneOf"])].filter((o) => o !== false);
  const converted = options.map((option) => convert(option, walk));
  if (converted.length <= 1) return converted[0] ?? {};
  return { anyOf: converted };
}

function follow(reference: string, walk: Walk): JsonObject {
  if (walk.following.includes(reference)) return {};
  const target = resolve(reference, walk.root);
  return convert(target, { ...walk, following: [...walk.following, reference] });
}

/** Only references inside the schema itself; anything else stands for "anything". */
function resolve(reference: string, root: JsonObject): JsonValue | undefined {
  if (!reference.startsWith("#")) return undefined;
  const steps = reference
    .slice(1)
    .split("/")
    .filter((step) => step !== "");
  let current: JsonValue | undefined = root;
  for (const step of steps) {
    const name = decodeStep(step);
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

function decodeStep(step: string): string {
  const pointer = step.replaceAll("~1", "/").replaceAll("~0", "~");
  return /%[0-9a-f]{2}/i.test(pointer) ? safeDecode(pointer) : pointer;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not percent-encoding after all.
  }
}

/** Look-around, back references and Unicode classes are refused by grammar-based servers. */
function isPlainPattern(pattern: string): boolean {
  return pattern.length <= 200 && !/\(\?|\\[1-9kpPuUbB]/.test(pattern);
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
