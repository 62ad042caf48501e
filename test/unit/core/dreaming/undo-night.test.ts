import { expect, test } from "vitest";
import { DreamStore } from "#core/dreaming/dream-store.ts";
import { undoNight } from "#core/dreaming/undo-night.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { MemoryDocuments } from "#test/doubles/documents.ts";
import { curated } from "./world.ts";

const at = Date.UTC(2031, 4, 6, 3, 5);
const nights = ["first", "second"] as const;
const texts = ["# Memory", "# Memory\n- one", "# Memory\n- one\n- two"];

/** Two nights, each of which added a line. */
function world() {
  const store = new DreamStore(new MemoryDocuments());
  for (const [index, runId] of nights.entries()) {
    store.keepImage({
      runId,
      at: at + index,
      before: texts[index] ?? "",
      afterHash: sha256Hex(texts[index + 1] ?? ""),
    });
    store.keepOutcome({
      runId,
      mode: "night",
      startedAt: at + index,
      endedAt: at + index,
      summary: "Changed MEMORY.md: 1 added.",
      changes: [],
      noRoom: [],
      waiting: [],
      themes: [],
      truths: [],
      diary: null,
    });
  }
  let text = texts[2] ?? "";
  const undo = (force = false) =>
    undoNight(
      {
        store,
        file: async () => ({ lines: curated(text), etag: "e" }),
        write: async (next) => ((text = next), null),
      },
      null,
      force,
    );
  const undone = () =>
    store.outcomes().flatMap(({ runId, undone: isUndone }) => (isUndone ? [runId] : []));
  return { undo, undone, text: () => text, edit: (next: string) => void (text = next) };
}

test("each undoing goes one night further back, and the nights say so", async () => {
  const { undo, undone, text } = world();
  expect(await undo()).toMatchObject({
    ok: true,
    text: expect.stringContaining("2031-05-06 03:05"),
  });
  expect([text(), undone()]).toEqual([texts[1], ["second"]]);
  await undo();
  expect([text(), undone().toSorted()]).toEqual([texts[0], ["first", "second"]]);
});

test("an edit made since is thrown away only on the word, and a refused undoing leaves no mark", async () => {
  const { undo, undone, text, edit } = world();
  edit("# Memory\n- mine");
  expect(await undo()).toMatchObject({ ok: false });
  expect([text(), undone()]).toEqual(["# Memory\n- mine", []]);
  expect(await undo(true)).toMatchObject({ ok: true });
  expect([text(), undone()]).toEqual([texts[1], ["second"]]);
});
