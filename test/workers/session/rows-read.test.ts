import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { accept } from "#core/session/accept.ts";
import { createMemoryIndex } from "#platform/d1/memory-index.ts";
import { sourceFrom, type Line } from "#test/contract/memory-source.ts";
import { newWord } from "#test/harness/words.ts";
import { Conversation, workUntilDone } from "./conversation.ts";
import { countedRows } from "./counted-rows.ts";

const day = 24 * 3_600_000;

/** Rows that a turn reads in its conversation's storage and, through its agent's memory, in D1. */
async function turnAfter(entries: number): Promise<number> {
  const talk = new Conversation();
  const sql = await talk.inside((_store, state) => state.storage.sql);
  let read = 0;
  await talk.withParts(
    () => ({ now: () => Date.now() + day }),
    async (ports) => {
      const say = async (text: string) => {
        const { seq } = await accept(ports, { message: talk.envelope(text).message });
        await workUntilDone(ports, seq);
      };
      await say("hello");
      const [first] = ports.store.transcript.page(0, 1);
      ports.store.transaction(() => {
        for (let each = 0; each < entries; each += 1) {
          ports.store.transcript.append(first!);
        }
      });
      await say("hello again");
      await say("and again");
      read = await countedRows(sql, () => say("and now"));
    },
  );
  return read;
}

test("what a turn reads does not grow with its conversation", async () => {
  const [few, many] = [await turnAfter(400), await turnAfter(2_400)];
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThanOrEqual(few * 1.05);
});

test("what a turn reads does not grow with the memory of its agent", async () => {
  const before = await turnAfter(400);
  const index = createMemoryIndex(env.DB, "main");
  for (let file = 0; file < 5; file += 1) {
    const lines = Array.from({ length: 400 }, (): Line => ["agent", `- ${newWord()} ${newWord()}`]);
    await index.publish(sourceFrom(`memory/rows-${newWord()}.md`, lines));
  }
  expect(await turnAfter(400)).toBeLessThanOrEqual(before * 1.05);
});
