import { z } from "zod";
import type { ServerListener } from "./local-server.ts";

/**
 * What of the server's talk reaches the terminal: errors of the Worker, one short line each, and
 * wrangler's complaints as they are. Everything else (what was served, what was bound, harmless
 * warnings) is noise to somebody who only wants it to run.
 */
const lineSchema = z.looseObject({ event: z.string() });

export interface Sink {
  write(text: string): unknown;
}

export function createServerOutput(sink: Sink): ServerListener {
  return {
    log: (level, message) => {
      if (level === "error") sink.write(`${errorLine(message)}\n`);
    },
    complaint: (text) => sink.write(text),
  };
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
