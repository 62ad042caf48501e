import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import { wrongToken, type Target } from "./target.ts";

/**
 * One conversation over /v1/chat/completions, with the official client. A message carries an id of its
 * own, so that after a broken connection (a restart, a deploy) asking again attaches to the answer
 * that is under way instead of asking twice.
 */
export interface Conversation {
  /** Sends a message and hands over the answer's text as it comes. Never rejects. */
  ask(text: string, listener: AnswerListener, signal?: AbortSignal): Promise<Outcome>;
}

export interface AnswerListener {
  /** More of the answer. */
  readonly text: (more: string) => void;
  /** The connection broke off; the answer is being looked for. */
  readonly lost?: () => void;
}

export type Outcome =
  | { readonly status: "answered" }
  /** Nobody was there; the message was certainly not taken. */
  | { readonly status: "absent" }
  /** `message` is a sentence for a person. */
  | { readonly status: "failed"; readonly message: string };

export interface ConversationOptions {
  readonly target: Target;
  /** Names the conversation; the same name continues it. */
  readonly session: string;
  /** `pagurus`, or `pagurus/<agent>`. */
  readonly model: string;
  /** How long to look for a server that went away in the middle. Milliseconds. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;
/** An answer takes as long as it takes; the largest delay a timer knows. */
const longestTimer = 2 ** 31 - 1;

export function createConversation(options: ConversationOptions): Conversation {
  return new ApiConversation(options);
}

class ApiConversation implements Conversation {
  readonly #client: OpenAI;
  readonly #options: ConversationOptions;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#client = new OpenAI({
      baseURL: `${options.target.url}/v1`,
      apiKey: options.target.token,
      // Explicit, so that the client takes nothing from an environment made for another service.
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: longestTimer,
      logLevel: "off",
    });
  }

  async ask(text: string, listener: AnswerListener, signal?: AbortSignal): Promise<Outcome> {
    const call = { text, key: crypto.randomUUID(), signal };
    let shown = "";
    const show = (more: string) => {
      shown += more;
      if (more !== "") listener.text(more);
    };
    try {
      await this.#stream(call, show);
      return { status: "answered" };
    } catch (error) {
      if (isRefused(error)) return { status: "absent" };
      // Who has left is not told that a connection was lost.
      if (signal?.aborted) return { status: "answered" };
      if (!isBroken(error)) return toFailure(error, this.#options.target);
    }
    listener.lost?.();
    return this.#resume(call, (whole) => {
      if (whole.startsWith(shown)) return show(whole.slice(shown.length));
      if (!shown.startsWith(whole)) show(`\n${whole}`);
    });
  }

  async #stream(call: Call, show: (text: string) => void): Promise<void> {
    const body = { ...this.#body(call), stream: true as const };
    const chunks = await this.#client.chat.completions.create(body, headersOf(call));
    let finished = false;
    for await (const chunk of chunks) {
      const choice = chunk.choices[0];
      show(choice?.delta.content ?? "");
      finished ||= Boolean(choice?.finish_reason);
    }
    if (!finished) throw new BrokenStream();
  }

  /** Asks for the whole answer until somebody gives it. */
  async #resume(call: Call, show: (whole: string) => void): Promise<Outcome> {
    const deadline = performance.now() + (this.#options.patienceMs ?? PATIENCE_MS);
    for (;;) {
      try {
        const completions = this.#client.chat.completions;
        const answer = await completions.create(this.#body(call), headersOf(call));
        show(answer.choices[0]?.message.content ?? "");
        return { status: "answered" };
      } catch (error) {
        if (call.signal?.aborted) return { status: "answered" };
        if (performance.now() > deadline || !isBroken(error))
          return toFailure(error, this.#options.target);
      }
      await sleep(PAUSE_MS);
    }
  }

  #body({ text }: Call) {
    const { model, session } = this.#options;
    return { model, user: session, messages: [{ role: "user" as const, content: text }] };
  }
}

interface Call {
  readonly text: string;
  readonly key: string;
  readonly signal: AbortSignal | undefined;
}

class BrokenStream extends Error {}

function headersOf({ key, signal }: Call) {
  return { headers: { "Idempotency-Key": key }, ...(signal ? { signal } : {}) };
}

/** The connection failed: the message may have arrived, or not. */
function isBroken(error: unknown): boolean {
  if (error instanceof OpenAI.APIUserAbortError) return false;
  // A body that breaks off arrives as the runtime's own error, not the client's.
  return !(error instanceof OpenAI.APIError) || error instanceof OpenAI.APIConnectionError;
}

/** Nobody listens there, so nothing was sent. */
function isRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && (cause.code === "ECONNREFUSED" || cause.code === "ENOTFOUND")) {
      return true;
    }
  }
  return false;
}

function toFailure(error: unknown, target: Target): Outcome {
  if (error instanceof OpenAI.APIUserAbortError) return { status: "answered" };
  if (error instanceof OpenAI.AuthenticationError) {
    return { status: "failed", message: wrongToken(target) };
  }
  if (isBroken(error)) {
    const message = "The connection was lost. Once Pagurus is back, /again shows the answer.";
    return { status: "failed", message };
  }
  const { message } = error as InstanceType<typeof OpenAI.APIError>;
  // The client puts the status before the server's words.
  return { status: "failed", message: message.replace(/^\d{3} /, "") };
}
