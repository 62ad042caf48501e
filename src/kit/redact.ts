import type { JsonValue } from "#contract/json.ts";
import { errorText } from "./error-text.ts";
import { base64Patterns, spellingPattern } from "./secret-form.ts";
import { isSecretName, mask, maskShapes } from "./secret-shape.ts";

/**
 * Keeps secrets out of logs, errors, tool results and transcripts. `redact` knows shapes only;
 * `createRedactor` also knows the configured values, in the spellings of secret-form.ts. Hosts, methods
 * and names stay readable. It is a net under careful code, not a licence to log headers.
 * Trade-off: a masked harmless string is a nuisance, a leaked token is not undone, so doubt masks.
 */
export interface Redactor {
  /** The text with every known secret masked. Linear time. Never throws. */
  redact(text: string): string;
  /** The same for all strings inside a value; members named like a secret are masked whole. */
  redactValue(value: JsonValue): JsonValue;
  /** One redacted line for anything thrown, with its causes. Never throws. */
  describeError(error: unknown): string;
}

const maxDepth = 64;
/** A configured value of this length or less is masked only where it stands as a word of its own. */
const shortSecret = 5;
/** Below this a value says nothing, and masking it would make texts unreadable. */
const shortestSecret = 4;

const shapesOnly = createRedactor([]);

/** Masks secrets by shape. */
export function redact(text: string): string {
  return shapesOnly.redact(text);
}

/** Masks secrets by shape in all strings of a value, and members named like a secret. */
export function redactValue(value: JsonValue): JsonValue {
  return shapesOnly.redactValue(value);
}

/** One line for anything thrown, with its causes, secrets masked by shape. */
export function describeError(error: unknown): string {
  return shapesOnly.describeError(error);
}

/**
 * A redactor that also masks these exact values. Values under four characters are ignored; those of
 * four or five are masked as whole words only.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const known = knownValues(secrets);
  const redactText = (text: string) =>
    maskShapes(known === undefined ? text : text.replace(known, mask));
  return {
    redact: redactText,
    redactValue: (value) => mapStrings(value, redactText, 0),
    describeError: (error) => redactText(errorText(error)),
  };
}

function knownValues(secrets: readonly string[]): RegExp | undefined {
  const values = [...new Set(secrets.map((secret) => secret.trim()))]
    .filter((value) => value.length >= shortestSecret)
    // Longest first: a secret that contains another is masked whole.
    .sort((a, b) => b.length - a.length);
  const alternatives = values.flatMap((value) =>
    value.length > shortSecret
      ? [spellingPattern(value), ...base64Patterns(value)]
      : [`(?<![A-Za-z0-9])${spellingPattern(value)}(?![A-Za-z0-9])`],
  );
  return alternatives.length === 0 ? undefined : new RegExp(alternatives.join("|"), "g");
}

function mapStrings(
  value: JsonValue,
  redactText: (text: string) => string,
  depth: number,
): JsonValue {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return "[nested too deeply]";
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, redactText, depth + 1));
  const entries = Object.entries(value).map(([name, member]) => {
    const shown = redactText(name);
    if (typeof member === "string" && member !== "" && isSecretName(name)) return [shown, mask];
    return [shown, member === undefined ? undefined : mapStrings(member, redactText, depth + 1)];
  });
  return Object.fromEntries(entries) as { [key: string]: JsonValue | undefined };
}
