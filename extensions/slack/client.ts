import { z } from "zod";
import type { JsonObject } from "#contract/json.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import { networkFault, unsentErrorCode } from "./network-fault.ts";

/**
 * Slack's Web API over plain HTTP: one POST, one classified outcome. It does not retry and does not know
 * what a method means; callers decide what an unclear outcome is worth. The token travels only in the
 * Authorization header, and no outcome carries text of a thrown error, so nothing here can leak it.
 */
export type ApiOutcome =
  | { readonly kind: "ok"; readonly body: ApiBody; readonly scopes: readonly string[] }
  /** Slack read the request and declined. `code` is Slack's own word for it, or `http_<status>`. */
  | { readonly kind: "refused"; readonly code: string; readonly needed?: string }
  | { readonly kind: "limited"; readonly afterMs?: number }
  /** Slack has certainly not taken the request. */
  | { readonly kind: "unsent"; readonly reason: string }
  /** The request may have taken effect. */
  | { readonly kind: "unclear"; readonly reason: string };

const bodySchema = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional().catch(undefined),
  needed: z.string().optional().catch(undefined),
});
export type ApiBody = z.infer<typeof bodySchema>;

export interface ApiRequest {
  readonly method: string;
  /** Undefined members are left out. In form encoding, objects are sent as JSON text. */
  readonly args: JsonObject;
  /** Methods that read, and the file upload's first step, do not accept JSON. */
  readonly encoding: "json" | "form";
  readonly signal?: AbortSignal;
}

export interface SlackClient {
  /** Never rejects. */
  call(request: ApiRequest): Promise<ApiOutcome>;
}

const timeoutMs = 20_000;
const limitedCodes = new Set(["ratelimited", "rate_limited"]);
/** Slack says of these that part of the operation may have succeeded. */
const unclearCodes = new Set(["internal_error", "fatal_error", "service_unavailable"]);
/** Slack says of this that the request's body did not arrive whole. */
const unsentCodes = new Set(["request_timeout"]);

export function createSlackClient(
  apiRoot: string,
  botToken: string,
  ports: Pick<ExtensionPorts, "fetch">,
): SlackClient {
  const root = apiRoot.replace(/\/+$/, "");
  // Called on its own: workerd refuses the global fetch as a method of another object.
  const { fetch } = ports;
  return {
    async call(request) {
      if (request.signal?.aborted) return { kind: "unsent", reason: "stopped before the request" };
      try {
        const response = await fetch(`${root}/${request.method}`, {
          method: "POST",
          redirect: "manual",
          headers: {
            authorization: `Bearer ${botToken}`,
            "content-type":
              request.encoding === "json"
                ? "application/json; charset=utf-8"
                : "application/x-www-form-urlencoded",
          },
          body: encode(request),
          signal: withTimeout(request.signal),
        });
        return await classify(response);
      } catch (error) {
        const reason = `no answer from Slack (${networkFault(error)})`;
        return unsentErrorCode(error) === undefined
          ? { kind: "unclear", reason }
          : { kind: "unsent", reason };
      }
    },
  };
}

export function withTimeout(signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

function encode({ args, encoding }: ApiRequest): string {
  if (encoding === "json") return JSON.stringify(args);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form.toString();
}

async function classify(response: Response): Promise<ApiOutcome> {
  if (response.status === 429) {
    await response.body?.cancel();
    return limited(response);
  }
  if (response.status >= 500 || response.status === 408) {
    await response.body?.cancel();
    return { kind: "unclear", reason: `Slack answered HTTP ${response.status}` };
  }
  const parsed = bodySchema.safeParse(readJson(await response.text()));
  if (!response.ok) {
    return { kind: "refused", code: (parsed.data?.error ?? "") || `http_${response.status}` };
  }
  if (!parsed.success) return { kind: "unclear", reason: "Slack's answer is not readable" };
  return parsed.data.ok ? success(response, parsed.data) : refusal(response, parsed.data);
}

function success(response: Response, body: ApiBody): ApiOutcome {
  const scopes = response.headers.get("x-oauth-scopes") ?? "";
  const names = scopes.split(",").map((scope) => scope.trim());
  return { kind: "ok", body, scopes: names.filter((name) => name !== "") };
}

function refusal(response: Response, body: ApiBody): ApiOutcome {
  const code = body.error ?? "unknown_error";
  if (limitedCodes.has(code)) return limited(response);
  if (unclearCodes.has(code)) return { kind: "unclear", reason: `Slack answered ${code}` };
  if (unsentCodes.has(code)) return { kind: "unsent", reason: `Slack answered ${code}` };
  return { kind: "refused", code, ...(body.needed === undefined ? {} : { needed: body.needed }) };
}

function limited(response: Response): ApiOutcome {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0
    ? { kind: "limited", afterMs: Math.ceil(seconds * 1000) }
    : { kind: "limited" };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: no schema accepts it.
  }
}
