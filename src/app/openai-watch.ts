import { turnEventSchema, type TurnEvent } from "#contract/turn.ts";
import { sessionStub } from "#wiring/stubs.ts";

const RETRY_MS = 300;
const TRIES = 20;

/**
 * Events of one message's turn until it has ended. If the object goes away meanwhile (a deploy, a
 * crash), the turn goes on there by itself and this asks again; text of the broken view is taken back
 * by a `restart`.
 */
export async function* watchTurn(
  env: Env,
  sessionKey: string,
  seq: number,
): AsyncGenerator<TurnEvent> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      const ended = yield* followOnce(await sessionStub(env, sessionKey).watch(seq));
      if (ended) return;
    } catch (error) {
      if (attempt === TRIES - 1) throw error;
    }
    yield { type: "restart" };
    await scheduler.wait(RETRY_MS);
  }
  throw new Error("the turn could not be followed");
}

/** True once the turn has ended; false when the stream broke off before. */
async function* followOnce(stream: ReadableStream<Uint8Array>): AsyncGenerator<TurnEvent, boolean> {
  for await (const event of readLines(stream)) {
    yield event;
    if (event.type === "ended") return true;
  }
  return false;
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<TurnEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield turnEventSchema.parse(JSON.parse(line));
  }
}
