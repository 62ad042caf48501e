import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Track } from "./boundary.ts";
import { UNDER_WAY_MS, type Person } from "./person.ts";
import type { Stage } from "./stage.ts";

/**
 * A program that uses the OpenAI-compatible API: it waits for each answer, and after a broken connection
 * sends the same request again as the official clients do (`X-Stainless-Retry-Count`), or under the
 * same `Idempotency-Key`. What it got as answers is what it sees; two requests that became one turn get
 * the same answer, which it sees once.
 */
export function apiPerson(stage: Stage, how: "retry-count" | "idempotency-key"): Person {
  const user = randomUUID();
  const track = new Track([]);
  const answers: string[] = [];
  let open = 0;

  async function ask(text: string, isOut: () => void): Promise<string> {
    const key = randomUUID();
    const passes = await track.delivery();
    for (let tries = 0; ; tries += 1) {
      await stage.up();
      const headers: Record<string, string> =
        how === "retry-count"
          ? { "x-stainless-retry-count": String(tries) }
          : { "idempotency-key": key };
      const asked = stage.assistant.api.chat(text, { user, headers }).catch(() => null);
      await sleep(UNDER_WAY_MS);
      passes("received");
      isOut();
      const reply = await asked;
      if (reply?.status === 200) {
        passes("replied");
        return reply.text;
      }
      // Broken off, or told to come again: as the clients do. Anything else is seen as it is.
      if (reply && reply.status < 500) return `HTTP ${reply.status}: ${reply.text}`;
      await sleep(50);
    }
  }

  /** Every model answer of the suite has a word of its own: the same one is that of the same turn. */
  async function see(answer: Promise<string>): Promise<void> {
    const before = answers.length;
    const text = await answer.catch(String);
    const meanwhile = answers.slice(before);
    if (!meanwhile.includes(text)) answers.push(text);
  }

  return {
    track,
    async say(text) {
      open += 1;
      await new Promise<void>((isOut) => {
        void see(ask(text, isOut)).finally(() => {
          open -= 1;
          isOut();
        });
      });
    },
    visible: () => answers.filter((answer) => answer !== ""),
    // A program does not ask again what was answered.
    repeatAll: async () => {},
    waiting: () => open > 0,
  };
}
