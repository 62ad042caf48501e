import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { configSchema } from "#contract/config.ts";

/** Names of all keys of a JSON Schema, however deep. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = Object.entries(schema).flatMap(([name, value]) =>
    name === "properties" ? Object.keys(value as object) : [],
  );
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

test("every key of the configuration is documented", () => {
  const page = readFileSync("docs/configuration.md", "utf8");
  const keys = keysOf(z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" }));
  expect(keys.length).toBeGreaterThan(40);
  const missing = keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(page));
  expect(missing).toEqual([]);
});
