import { z } from "zod";
import type { CustomToolConfig } from "#contract/config.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from "#contract/tool.ts";
import { createRedactor, type Redactor } from "#kit/redact.ts";
import { readText } from "./response-text.ts";

/**
 * One endpoint as a tool: the arguments go out as a JSON POST, the answer's text comes back as
 * something from outside. `Idempotency-Key` is the same for every try of one call. Redirects are not
 * followed: the headers hold the operator's keys, and another address is not what was set up. The URL
 * is the operator's own choice and so not put through the guard for addresses that a model chose.
 */
const MAX_BYTES = 100_000;

export function customTool(config: CustomToolConfig, ports: ExtensionPorts): Tool {
  const redactor = createRedactor(secretsOf(config));
  return defineTool<unknown>({
    name: config.name,
    description: config.description,
    parameters: z.fromJSONSchema(config.parameters),
    level: config.level,
    replay: config.replay,
    execute: (input, context) => call({ config, ports, redactor }, input, context),
  });
}

interface Endpoint {
  readonly config: CustomToolConfig;
  readonly ports: ExtensionPorts;
  readonly redactor: Redactor;
}

async function call(
  { config, ports, redactor }: Endpoint,
  input: unknown,
  context: Pick<ToolContext, "operationId" | "signal">,
): Promise<ToolOutcome> {
  const timeout = AbortSignal.timeout(Math.ceil(config.timeoutSeconds * 1000));
  try {
    const response = await ports.fetch(config.url, {
      method: "POST",
      headers: requestHeaders(config, context.operationId),
      body: JSON.stringify(input ?? {}),
      redirect: "manual",
      signal: AbortSignal.any([context.signal, timeout]),
    });
    return await outcome(response, redactor);
  } catch (error) {
    if (context.signal.aborted) throw error;
    ports.log.warn("custom-tool.failed", {
      tool: config.name,
      error: redactor.describeError(error),
    });
    const reason = timeout.aborted
      ? `did not answer within ${config.timeoutSeconds} seconds`
      : "could not be reached, or the connection broke";
    const text = `${config.name} ${reason}. Whether it acted is not known.`;
    return { text, isError: true };
  }
}

async function outcome(response: Response, redactor: Redactor): Promise<ToolOutcome> {
  if (response.ok) {
    const text = redactor.redact(await readText(response, MAX_BYTES));
    return { text: text === "" ? "(empty answer)" : text, untrusted: true };
  }
  if (isRedirect(response)) {
    await response.body?.cancel();
    const text =
      "The endpoint answered with a redirect, which is not followed. Its address needs correcting.";
    return { text, isError: true };
  }
  const body = redactor.redact(await readText(response, MAX_BYTES));
  return { text: `HTTP ${response.status}\n${body}`.trim(), isError: true, untrusted: true };
}

/** A manual redirect shows its status on servers, and as status 0 by the letter of the standard. */
function isRedirect(response: Response): boolean {
  return response.status === 0 || (response.status >= 300 && response.status < 400);
}

function requestHeaders(config: CustomToolConfig, operationId: string): Headers {
  const headers = new Headers(config.headers);
  headers.set("content-type", "application/json");
  headers.set("idempotency-key", operationId);
  return headers;
}

/** What an endpoint must not echo to the model: header values, and what its URL carries as a key. */
function secretsOf(config: CustomToolConfig): string[] {
  const url = new URL(config.url);
  const values = [...Object.values(config.headers), ...url.searchParams.values(), url.password];
  return values.flatMap((value) => [value, value.replace(/^\w+ /, "")]).filter(isLikelySecret);
}

/** Plain words such as "application/json" or "true" are left readable. */
function isLikelySecret(value: string): boolean {
  return value.length >= 8 && !/^[a-z]+(\/[a-z.+-]+)?$/i.test(value);
}
