import { Api } from "grammy/web";
import { z } from "zod";
import type { ExtensionPorts } from "#contract/ports.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { createRedactor, type Redactor } from "#kit/redact.ts";
import { type CallFault, classifyError } from "./fault.ts";
import type { TelegramSettings } from "./settings.ts";

/**
 * grammY's API client behind one function that never rejects. It is the web build, in tests as in the
 * Worker. Ours are the time limits, the classes of failure, and an answer of something between us and
 * the platform (HTML of a proxy) made readable. Nothing is retried here.
 */
export interface BotApi {
  readonly settings: TelegramSettings;
  readonly ports: ExtensionPorts;
  readonly redactor: Redactor;
  call<T>(request: Request<T>, options?: CallOptions): Promise<Result<T, CallFault>>;
}

/** One call; the signal must be handed on. */
export type Request<T> = (raw: Api["raw"], signal: RequestSignal) => Promise<T>;
export type RequestSignal = NonNullable<Parameters<Api["raw"]["getMe"]>[0]>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Default 20 s; uploads need more. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 20_000;
/** Longer than any timeout of ours: grammY's own limit never decides. */
const backstopSeconds = 300;

export function createBotApi(settings: TelegramSettings, ports: ExtensionPorts): BotApi {
  const api = new Api(settings.botToken, {
    apiRoot: settings.apiRoot,
    timeoutSeconds: backstopSeconds,
    fetch: readableFetch(ports.fetch),
  });
  const redactor = createRedactor([settings.botToken, settings.webhookSecret ?? ""]);
  return {
    settings,
    ports,
    redactor,
    async call<T>(request: Request<T>, options: CallOptions = {}) {
      if (options.signal?.aborted) {
        return err({ kind: "unreached", reason: "stopped before anything was sent" } as const);
      }
      // grammY types signals after a package for old Node versions; at run time any will do.
      const signal = timeLimit(options) as RequestSignal;
      try {
        return ok(await request(api.raw, signal));
      } catch (error) {
        return err(redacted(classifyError(error), redactor));
      }
    },
  };
}

function timeLimit({ signal, timeoutMs = defaultTimeoutMs }: CallOptions): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

function redacted(fault: CallFault, redactor: Redactor): CallFault {
  if ("description" in fault) {
    return { ...fault, description: redactor.redact(fault.description) };
  }
  return fault;
}

/** Redirects are not followed: the address holds the token and the body what people wrote. */
function readableFetch(fetcher: typeof fetch): typeof fetch {
  return async (input, init) => {
    // Node wants `duplex` for a streamed body; workerd does not mind it.
    const options = { ...init, redirect: "manual" as const, duplex: "half" };
    const response = await fetcher(input, options);
    const json = response.headers.get("content-type")?.includes("json") === true;
    if (json || response.ok) return response;
    await response.body?.cancel();
    const answer = {
      ok: false,
      error_code: response.status,
      description: `HTTP ${response.status} without an answer of Telegram`,
    };
    return Response.json(answer, { status: 200 });
  };
}

const sentMessageSchema = z.object({ message_id: z.number().int() });

/** The id of a message the platform has just made; undefined when its answer shows none. */
export function sentMessageId(result: unknown): string | undefined {
  const first: unknown = Array.isArray(result) ? result[0] : result;
  const parsed = sentMessageSchema.safeParse(first);
  return parsed.success ? String(parsed.data.message_id) : undefined;
}
