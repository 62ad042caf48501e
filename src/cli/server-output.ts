import { z } from "zod";
import type { ServerListener } from "./local-server.ts";

/**
 * What of the server's talk reaches the terminal: errors of the Worker and models that fail, one short
 * line each, and wrangler's complaints as they are. Everything else (what was served, what was bound,
 * harmless warnings) is noise to somebody who only wants it to run; problems of the configuration stand
 * in the welcome.
 */
const lineSchema = z.looseObject({ event: z.string() });
const modelFailureSchema = z.object({
  event: z.literal("model.failed"),
  model: z.string(),
  reason: z.string(),
  message: z.string(),
  attempts: z.number(),
  /** Where nobody answered. */
  unreached: z.string().optional(),
});

export interface Sink {
  write(text: string): unknown;
}

export function createServerOutput(sink: Sink): Pick<ServerListener, "log" | "complaint"> {
  return {
    log: (level, message) => {
      const line = lineOf(level, message);
      if (line !== undefined) sink.write(`${line}\n`);
    },
    complaint: (text) => sink.write(text),
  };
}

function lineOf(level: string, message: string): string | undefined {
  const json = readJson(message);
  const failure = modelFailureSchema.safeParse(json);
  if (failure.success) {
    const { model, reason, message: why, attempts, unreached } = failure.data;
    const count = attempts > 1 ? `, try ${attempts}` : "";
    const what = unreached === undefined ? reason.replaceAll("_", " ") : `${unreached} not reached`;
    return `warning: ${model} failed (${what}${count}): ${oneLine(why)}`;
  }
  const known = lineSchema.safeParse(json);
  if (known.success && known.data.event === "config.problem") return undefined;
  return level === "error" ? errorLine(message) : undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** `error turn.failed turn=… reason=…` for a line of the Worker's log, else the text itself. */
export function errorLine(message: string): string {
  const parsed = lineSchema.safeParse(readJson(message));
  if (!parsed.success) return `error ${message}`;
  const { event, level: _level, ...fields } = parsed.data;
  const details = Object.entries(fields).map(([name, value]) => `${name}=${inLine(value)}`);
  return ["error", event, ...details].join(" ");
}

function inLine(value: unknown): string {
  return typeof value === "string" && !/[\s=]/.test(value) ? value : JSON.stringify(value);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
