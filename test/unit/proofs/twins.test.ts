import fc from "fast-check";
import { expect, test } from "vitest";
import { isClean } from "#contract/transcript.ts";
import { eager } from "#test/doubles/dream-models.ts";
import { Chat } from "#test/doubles/whole-memory-chat.ts";
import { WholeMemory } from "#test/doubles/whole-memory.ts";
import { facts } from "#test/proofs/histories.ts";

/**
 * The one exception to non-interference: within a file a line is found by what it says, so a line from
 * outside that already says exactly what one of the owner's then says takes it down to its own class; a
 * copy that comes afterwards is not written. What may happen, and nothing more: exactly the foreseen lines
 * are clean no longer, and what the owner said lives on in the transcript, where nobody else can write: so
 * MEMORY.md says the same in the end.
 */
const note = "memory/2026-05-01.md";

interface Step {
  readonly text: string;
  readonly copied: "never" | "before" | "after";
}

const steps = fc.array(
  fc.record({
    text: fc.constantFrom(...facts),
    copied: fc.constantFrom("never" as const, "before" as const, "after" as const),
  }),
  { minLength: 1, maxLength: 5 },
);

/** As an owner's words stand in a note. */
function quoted(text: string): string {
  return `  > "${text}"`;
}

async function life(history: readonly Step[], copies: boolean) {
  const memory = new WholeMemory({ model: eager });
  const chat = new Chat(memory);
  const elsewhere = new Chat(memory, { key: "agent:main:web:direct:elsewhere" });
  await memory.bootstrap();
  for (const { text, copied } of history) {
    const copy = async () => {
      const input = { path: note, text: quoted(text), mode: "append" };
      await elsewhere.obey(text, "forwarded", [{ tool: "write", input }]);
    };
    memory.time += 60_000;
    if (copies && copied === "before") await copy();
    await chat.say({ text });
    if (copies && copied === "after") await copy();
  }
  const file = await memory.files.readClassified(note);
  const lines = (file?.lines ?? []).filter(
    ({ text, origin }) => text.startsWith("  > ") && isClean(origin.trust),
  );
  memory.time += 12 * 3_600_000;
  await memory.night();
  return { clean: new Set(lines.map(({ text }) => text)), memory, chat };
}

test(
  "a copied line may lose its class; none gains one, and what was said stays the owner's",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const without = await life(history, false);
        const beside = await life(history, true);
        const foreseen = history.filter(({ text, copied }, index) => {
          const first = history.findIndex((step) => step.text === text);
          return copied === "before" && first === index;
        });
        const copied = new Set(foreseen.map(({ text }) => quoted(text)));
        const expected = [...without.clean].filter((line) => !copied.has(line));
        expect([...beside.clean].toSorted()).toEqual(expected.toSorted());
        // The conversation says it, too, and nobody else writes there.
        const entries = (text: string) =>
          text
            .split("\n")
            .flatMap((line) => /^- (.*?) <!--/.exec(line)?.[1] ?? [])
            .toSorted();
        expect(entries(beside.memory.text("MEMORY.md"))).toEqual(
          entries(without.memory.text("MEMORY.md")),
        );
      }),
      { numRuns: 100 },
    );
  },
);
