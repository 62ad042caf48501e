import { z } from "zod";
import type { SystemSegment } from "#contract/model.ts";
import type { WireCall } from "./wire-names.ts";

/**
 * Pieces of text that all of OpenAI's APIs, and those made after them, take in the same form: the system
 * prompt, the arguments of a call, the output of a tool. None of them is ever blank.
 */

/** Segments joined by a blank line; undefined when there is nothing to say. */
export function systemText(segments: readonly SystemSegment[]): string | undefined {
  const texts = segments.map((segment) => segment.text).filter((text) => text.trim() !== "");
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

const objectSchema = z.record(z.string(), z.unknown());

/** JSON text of an object: servers parse it. A cut or invalid call shows the model what it wrote. */
export function argumentsText(raw: string): string {
  if (raw.trim() === "") return "{}";
  try {
    if (objectSchema.safeParse(JSON.parse(raw)).success) return raw;
  } catch {
    // Not JSON: shown as it is, below.
  }
  return JSON.stringify({ unparsed: raw });
}

export function outputText({ result }: WireCall): string {
  if (result === undefined) return "No result: the call was interrupted.";
  if (result.text.trim() === "")
    return result.isError ? "(failed without a message)" : "(no output)";
  return result.isError ? `Error: ${result.text}` : result.text;
}
