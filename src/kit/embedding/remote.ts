import type { ModelFault } from "#contract/fault.ts";
import type { Now } from "#contract/ports.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { abortFault } from "#kit/model/guarded-stream.ts";
import { untilAborted } from "#kit/until-aborted.ts";
import { embeddingFailure } from "./failure.ts";
import { checkVectors, sendable } from "./vectors.ts";

/**
 * The promise of Embedder.embed, kept for a service over the network: never rejects, ends soon after
 * the signal aborts, tries again what may pass by itself, and gives up after ten seconds, since a
 * search waits for it. How the service is called, and what its errors mean, is the caller's.
 */
export interface RemoteEmbedding {
  /** As messages name it. */
  readonly model: string;
  readonly dimensions: number;
  readonly ports: {
    readonly now: Now;
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
  };
  /** One request. Texts are not blank. May throw. */
  call(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
  toFault(error: unknown): ModelFault;
}

const PATIENCE_MS = 10_000;
const PAUSES_MS = [500, 1_500] as const;

export async function embedRemotely(
  remote: RemoteEmbedding,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Result<(Float32Array | null)[], string>> {
  const sent = texts.map(sendable);
  const spoken = sent.filter((text) => text !== "");
  if (spoken.length === 0) return ok(texts.map(() => null));
  const called = await inPatience(remote, spoken, signal);
  if (!called.ok) return err(embeddingFailure(remote.model, called.error));
  const { dimensions } = remote;
  const checked = checkVectors(called.value, { count: spoken.length, dimensions });
  if (!checked.ok) return err(`${remote.model} ${checked.error}`);
  const vectors = checked.value.values();
  return ok(sent.map((text) => (text === "" ? null : (vectors.next().value ?? null))));
}

type Answer = Result<readonly (readonly number[])[], ModelFault>;

async function inPatience(
  remote: RemoteEmbedding,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  const limit = new AbortController();
  const ended = new AbortController();
  const onAbort = () => limit.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const tooLate = Object.assign(new Error("no answer in time"), { name: "TimeoutError" });
  // The rejection is the ordinary end: it was not needed.
  remote.ports.sleep(PATIENCE_MS, ended.signal).then(
    () => limit.abort(tooLate),
    () => {},
  );
  try {
    return await attempts(remote, texts, limit.signal);
  } finally {
    ended.abort();
    signal.removeEventListener("abort", onAbort);
  }
}

async function attempts(
  remote: RemoteEmbedding,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  const deadline = remote.ports.now() + PATIENCE_MS;
  for (let attempt = 0; ; attempt += 1) {
    const answer = await attemptOnce(remote, texts, signal);
    if (answer.ok || signal.aborted || !mayPass(answer.error)) return answer;
    const pause = Math.max(PAUSES_MS[attempt] ?? Infinity, answer.error.retryAfterMs ?? 0);
    if (remote.ports.now() + pause >= deadline) return answer;
    try {
      await untilAborted(remote.ports.sleep(pause, signal), signal);
    } catch {
      return err(abortFault(signal)); // Only an abort ends a pause early.
    }
  }
}

async function attemptOnce(
  remote: RemoteEmbedding,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  if (signal.aborted) return err(abortFault(signal));
  try {
    return ok(await untilAborted(remote.call(texts, signal), signal));
  } catch (error) {
    return err(signal.aborted ? abortFault(signal) : remote.toFault(error));
  }
}

/** Too many requests, or a fault on the other side. */
function mayPass({ reason, status, connection }: ModelFault): boolean {
  if (reason === "rate_limit" || reason === "overloaded") return true;
  return connection === true || (status !== undefined && status >= 500);
}
