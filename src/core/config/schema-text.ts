import { z } from "zod";
import { configSchema } from "#contract/config.ts";
import { redact } from "#kit/redact.ts";
import { isBranch, valueAt, type DocumentPath } from "./tree.ts";

/**
 * The schema in words: what keys a place takes, and what is wrong with a value. Used only once
 * something is wrong. Values are shown where they help, never from where keys and tokens live.
 */
let inputSchema: unknown;

/** Names that may stand at a place of the document; empty where any may. */
export function knownKeys(path: DocumentPath): string[] {
  // Made at the first mistake, because it is slow; it never changes.
  inputSchema ??= z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" });
  let node: unknown = inputSchema;
  for (const step of path) node = child(node, step);
  const properties = valueAt(node, ["properties"]);
  return isBranch(properties) ? Object.keys(properties) : [];
}

/** One clause: what was expected, and what is there instead. */
export function describeIssue(issue: z.core.$ZodIssue, document: unknown): string {
  if (issue.code === "unrecognized_keys") return `unknown ${issue.keys.join(", ")}`;
  const expected = issue.message.replace(/\s+/g, " ").trim();
  const value = valueAt(document, issue.path);
  const secret = issue.path.some((step) => step === "accounts" || step === "headers");
  if (secret || value === undefined || typeof value === "object") return expected;
  return `${expected} (it is ${redact(JSON.stringify(value)).slice(0, 80)})`;
}

function child(node: unknown, step: PropertyKey): unknown {
  if (typeof step === "number") return valueAt(node, ["items"]);
  return valueAt(node, ["properties", step]) ?? valueAt(node, ["additionalProperties"]);
}
