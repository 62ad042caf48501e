import { setTimeout as sleep } from "node:timers/promises";
import { err, ok, type Result } from "#contract/result.ts";

/**
 * Which gateway token a server that runs already goes by. It may have been started with another one in
 * its environment than `.dev.vars` holds; it never tells its own, so the ones known here are tried. The
 * error is a sentence. Never rejects.
 */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 200;

export async function acceptedToken(
  url: string,
  candidates: readonly (string | undefined)[],
  patienceMs = PATIENCE_MS,
): Promise<Result<string, string>> {
  const signal = AbortSignal.timeout(patienceMs);
  for (const token of new Set(candidates)) {
    if (token === undefined || token === "") continue;
    const status = await statusWith(url, token, signal);
    if (status === undefined) return err(`Pagurus at ${url} does not answer.`);
    if (status === 200) return ok(token);
  }
  return err(
    `Pagurus at ${url} goes by another GATEWAY_TOKEN than .dev.vars or your environment has now: by the one it was started with. Start it again to change that.`,
  );
}

/** Undefined when nobody answers in time. */
async function statusWith(
  url: string,
  token: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  while (!signal.aborted) {
    try {
      const response = await fetch(`${url}/v1/models`, { headers, signal });
      await response.body?.cancel();
      if (response.status === 200 || response.status === 401) return response.status;
    } catch {
      // It may be starting again; asked once more until the time is up.
    }
    await sleep(PAUSE_MS);
  }
  return undefined;
}
