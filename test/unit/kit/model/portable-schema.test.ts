import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject, JsonValue } from "#contract/json.ts";
import { portableSchema } from "#kit/model/portable-schema.ts";

function fromZod(schema: z.ZodType): JsonObject {
  return portableSchema(z.toJSONSchema(schema) as JsonObject);
}

describe("portableSchema", () => {
  it("leaves a plain schema as it is", () => {
    const schema: JsonObject = {
      type: "object",
      properties: {
        path: { type: "string", description: "A path.", minLength: 1 },
        limit: { type: "integer", minimum: 1, maximum: 50 },
      },
      required: ["path"],
      additionalProperties: false,
    };
    expect(portableSchema(schema)).toEqual(schema);
  });

  it("drops what only validators need", () => {
    const schema = fromZod(z.strictObject({ when: z.iso.date(), count: z.int() }));
    expect(JSON.stringify(schema)).not.toMatch(/\$schema|9007199254740991|\$defs/);
    expect(schema["required"]).toEqual(["when", "count"]);
  });

  it("turns constants into enums, with their type", () => {
    expect(fromZod(z.object({ mode: z.literal("fast") }))["properties"]).toEqual({
      mode: { type: "string", enum: ["fast"] },
    });
  });

  it("puts references in place and ends recursion in anything", () => {
    const tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), next: tree.optional() }));
    const schema = JSON.stringify(fromZod(z.object({ tree })));
    expect(schema).not.toContain("$ref");
    expect(schema).toContain('"name"');
    expect(portableSchema({ $ref: "#/$defs/gone" })).toEqual({ type: "object", properties: {} });
    expect(portableSchema({ $ref: "#" })).toEqual({ type: "object", properties: {} });
  });

  it("merges alternatives at the top and keeps required what all of them require", () => {
    const one = z.object({ kind: z.literal("a"), id: z.string(), shared: z.number() });
    const two = z.object({ kind: z.literal("b"), shared: z.number() });
    const schema = fromZod(z.discriminatedUnion("kind", [one, two]));
    expect(schema).toMatchObject({ type: "object", required: ["kind", "shared"] });
    expect(Object.keys(schema["properties"] as object)).toEqual(["kind", "id", "shared"]);
    expect(schema).not.toHaveProperty("anyOf");
    expect(schema).not.toHaveProperty("additionalProperties");
  });

  it("merges intersections", () => {
    const schema = fromZod(
      z.intersection(z.object({ x: z.number() }), z.object({ y: z.number() })),
    );
    expect(schema["required"]).toEqual(["x", "y"]);
    expect(Object.keys(schema["properties"] as object)).toEqual(["x", "y"]);
  });

  it("gives every array its items", () => {
    const schema = portableSchema({
      type: "object",
      properties: {
        bare: { type: "array" },
        pair: {
          type: "array",
          prefixItems: [{ type: "string" }, { type: "number" }],
          items: false,
        },
      },
    });
    expect(schema["properties"]).toEqual({
      bare: { type: "array", items: {} },
      pair: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
    });
  });

  it("drops members that can never be there", () => {
    const schema = portableSchema({
      type: "object",
      properties: { never: false, always: true },
      required: ["never", "always", "unknown"],
    });
    expect(schema).toEqual({ type: "object", properties: { always: {} }, required: ["always"] });
  });

  it("keeps simple patterns only", () => {
    const schema = fromZod(
      z.object({ simple: z.string().regex(/^[a-z]+$/), hard: z.string().regex(/^(?=.*\d)x$/) }),
    );
    expect(schema["properties"]).toMatchObject({ simple: { pattern: "^[a-z]+$" } });
    expect(schema["properties"]).not.toHaveProperty("hard.pattern");
  });

  it("bounds what it makes of a schema that refers to itself in many ways", () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`d${n}`, refersToAll(12)]),
    );
    const schema = portableSchema({
      type: "object",
      properties: { a: { $ref: "#/$defs/d0" } },
      $defs: many,
    });
    expect(JSON.stringify(schema).length).toBeLessThan(300_000);
  });

  it("makes an acceptable, stable schema of anything that looks like one", () => {
    fc.assert(
      fc.property(schemaLike, (json) => {
        const schema = portableSchema(json);
        expect(schema["type"]).toBe("object");
        expect(schema["properties"]).toBeTypeOf("object");
        for (const key of ["anyOf", "oneOf", "allOf", "enum", "not"]) {
          expect(schema).not.toHaveProperty(key);
        }
        expect(JSON.stringify(schema)).not.toMatch(
          /"(\$ref|\$defs|oneOf|allOf|prefixItems|not|if)":/,
        );
        expect(portableSchema(schema)).toEqual(schema);
      }),
      { numRuns: 500 },
    );
  });
});

const keyword = fc.constantFrom(
  "type",
  "items",
  "prefixItems",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "$ref",
  "additionalProperties",
  "minimum",
  "pattern",
  "description",
  "minItems",
);

/** Schemas with every keyword we treat, filled with schemas, lists of schemas, or rubbish. */
const { schemaLike } = fc.letrec<{ schemaLike: JsonObject; value: JsonValue }>((tie) => ({
  schemaLike: fc
    .record(
      {
        type: fc.constantFrom("object", "array", "string"),
        properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schemaLike"), {
          maxKeys: 2,
        }),
        const: fc.constantFrom<JsonValue[]>("x", 1, null),
        enum: fc.constantFrom<JsonValue[]>(["x", "y"], [1], [], "x"),
        required: fc.array(fc.constantFrom("a", "b", "z"), { maxLength: 2 }),
        more: fc.dictionary(keyword, tie("value"), { maxKeys: 3 }),
      },
      { requiredKeys: [] },
    )
    .map(({ more, ...rest }) => ({ ...rest, ...more })),
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<JsonValue[]>("#", "#/properties/a", "string", "array", "^a+$", 3, true, null),
    tie("schemaLike"),
    fc.array(tie("schemaLike"), { maxLength: 2 }),
  ),
}));

function refersToAll(count: number): JsonObject {
  const members = Array.from({ length: count }, (_, n) => [`p${n}`, { $ref: `#/$defs/d${n}` }]);
  return { type: "object", properties: Object.fromEntries(members) };
}
