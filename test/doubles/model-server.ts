import { DoubleServer, type RecordedRequest, type Reply } from "./double-server.ts";
import {
  type AnswerStep,
  cut,
  type FailureStep,
  type Frame,
  type ModelCall,
  paced,
  type RawStep,
  type Script,
  type ScriptedError,
  type Step,
} from "./model-script.ts";

/**
 * What all model servers have in common: a script, the calls they saw, and the order of things (key,
 * then the API's own rules, then the script). How to script one: model-script.ts.
 */
export interface ModelServerOptions {
  /** Keys that are accepted; anything else is a 401. Default: any. */
  readonly keys?: readonly string[];
  /** Models that exist; any other is a 404. Default: all. */
  readonly models?: readonly string[];
}

/** Why the real API would refuse a request. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly code?: string;
}

export abstract class ModelServer extends DoubleServer {
  /** Decides every answer. Set it directly, or use `play`. */
  script: Script = () => ({ text: "ok" });
  readonly calls: ModelCall[] = [];
  /** Messages of the requests that broke the API's rules, oldest first. */
  readonly refusals: string[] = [];
  protected readonly options: ModelServerOptions;

  constructor(name: string, options: ModelServerOptions) {
    super(name);
    this.options = options;
  }

  /** What a provider's base URL setting should be. */
  abstract get baseUrl(): string;

  /** One step per call, in order; the last one repeats. */
  play(...steps: readonly [Step, ...Step[]]): void {
    let played = 0;
    this.script = () => {
      const step = steps[Math.min(played, steps.length - 1)]!;
      played += 1;
      return step;
    };
  }

  override clear(): void {
    super.clear();
    this.calls.length = 0;
    this.refusals.length = 0;
  }

  protected async answer(request: RecordedRequest, call: ModelCall): Promise<Reply> {
    this.calls.push(call);
    const refusal = this.refuse(request, call);
    if (refusal !== undefined) {
      this.refusals.push(refusal.message);
      return this.failure({ status: refusal.status, error: refusal }, call);
    }
    const script = this.script;
    const step = await script(call, this.#countFor(script));
    return this.#replyTo(step, call);
  }

  #script: Script | undefined;
  #played = 0;

  #countFor(script: Script): number {
    if (this.#script !== script) this.#played = 0;
    this.#script = script;
    this.#played += 1;
    return this.#played;
  }

  #replyTo(step: Step, call: ModelCall): Reply {
    if ("status" in step) return this.failure(step, call);
    if ("rawSse" in step) return sse(rawBody(step));
    if ("json" in step) return { body: JSON.stringify(step.json) };
    if (!call.stream) return { body: JSON.stringify(this.whole(step, call)) };
    return sse(paced(this.frames(step, call), step));
  }

  protected failure(step: FailureStep, call: ModelCall): Reply {
    const headers: Record<string, string> = { ...step.headers };
    if (step.retryAfter !== undefined) headers["retry-after"] = String(step.retryAfter);
    const body = step.body ?? JSON.stringify(this.errorBody(step.status, step.error ?? {}, call));
    return { status: step.status, headers, body };
  }

  protected abstract refuse(request: RecordedRequest, call: ModelCall): Refusal | undefined;
  protected abstract frames(step: AnswerStep, call: ModelCall): Frame[];
  /** The answer to a request that did not ask for a stream. */
  protected abstract whole(step: AnswerStep, call: ModelCall): unknown;
  protected abstract errorBody(status: number, error: ScriptedError, call: ModelCall): unknown;
}

function sse(body: AsyncIterable<string>): Reply {
  return { headers: { "content-type": "text/event-stream; charset=utf-8" }, body };
}

async function* rawBody({ rawSse, end }: RawStep): AsyncGenerator<string> {
  yield* typeof rawSse === "string" ? [rawSse] : rawSse;
  if (end === "cut") await cut();
  if (end === "hold") await new Promise(() => {});
}
