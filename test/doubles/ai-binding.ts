import type { JsonObject } from "#contract/json.ts";
import type { AiBinding, AiRunOptions } from "#contract/ports.ts";

/**
 * The `AI` binding of Workers as workerd implements it (cloudflare-internal:ai-api), over an HTTP server
 * that answers as Workers AI does: the raw Response if asked for, else the stream or the object, and an
 * InferenceUpstreamError ("3040: …") for an error status.
 */
export interface RecordedRun {
  readonly model: string;
  readonly input: JsonObject;
  readonly options: AiRunOptions;
}

export class AiBindingDouble implements AiBinding {
  readonly runs: RecordedRun[] = [];
  readonly #url: string;

  /** `url` takes `{…input, model}` as a POST. */
  constructor(url: string) {
    this.#url = url;
  }

  async run(model: string, input: JsonObject, options: AiRunOptions = {}): Promise<unknown> {
    this.runs.push({ model, input, options });
    const response = await fetch(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json", ...options.extraHeaders },
      body: JSON.stringify({ ...input, model }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    if (options.returnRawResponse) return response;
    if (!response.ok) throw await upstreamError(response);
    const isJson = response.headers.get("content-type") === "application/json";
    return isJson ? response.json() : response.body;
  }
}

async function upstreamError(response: Response): Promise<Error> {
  const body = await response.text();
  const parsed: unknown = JSON.parse(body);
  const { internalCode, description } = parsed as { internalCode?: number; description?: string };
  const error = new Error(internalCode === undefined ? body : `${internalCode}: ${description}`);
  error.name = "InferenceUpstreamError";
  return error;
}
