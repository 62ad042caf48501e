import type { JsonObject } from "#contract/json.ts";
import type { Log } from "#contract/ports.ts";
import { redactValue, type Redactor } from "#kit/redact.ts";

/**
 * Log lines as JSON objects, one per event, with secrets masked. The platform collects what is written
 * to the console; there is no other place for logs and no level to configure.
 */
export function createLog(redactor: Pick<Redactor, "redactValue"> = { redactValue }): Log {
  const line = (level: string, event: string, fields: JsonObject) =>
    JSON.stringify({ level, event, ...(redactor.redactValue(fields) as JsonObject) });
  return {
    info: (event, fields = {}) => console.log(line("info", event, fields)),
    warn: (event, fields = {}) => console.warn(line("warn", event, fields)),
    error: (event, fields = {}) => console.error(line("error", event, fields)),
  };
}
