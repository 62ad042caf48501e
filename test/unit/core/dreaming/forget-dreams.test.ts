import { expect, test } from "vitest";
import { DreamStore } from "#core/dreaming/dream-store.ts";
import { forgetInDreams } from "#core/dreaming/forget-dreams.ts";
import { undoTarget } from "#core/dreaming/undo.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { MemoryDocuments } from "#test/doubles/documents.ts";

const bike = "my bike is red";
const [first, second, third] = [
  "- Ada likes tea\n",
  `- Ada likes tea\n- ${bike} <!-- importance: 7 -->\n`,
  `- Ada likes tea\n- ${bike} <!-- importance: 7 -->\n- Bit is a dog\n`,
];
const without = "- Ada likes tea\n- Bit is a dog\n";

function kept(): { store: DreamStore; documents: MemoryDocuments } {
  const documents = new MemoryDocuments();
  const store = new DreamStore(documents);
  store.keepImage({ runId: "n1", at: 1, before: first, afterHash: sha256Hex(second) });
  store.keepImage({ runId: "n2", at: 2, before: second, afterHash: sha256Hex(third) });
  store.keepOutcome({
    runId: "n1",
    mode: "night",
    startedAt: 1,
    endedAt: 2,
    summary: "Changed MEMORY.md: 1 added.",
    changes: [
      { type: "added", text: bike, replaced: [], sources: ["memory/a.md#0123456789abcdef"] },
    ],
    noRoom: [],
    waiting: [{ text: `Owner: ${bike}`, lacks: "recalls" }],
    themes: ["bikes"],
    truths: [bike],
    diary: `Tonight I learnt that ${bike}. It was calm.`,
  });
  store.keepRecord({
    ...store.record(),
    stated: [
      { text: bike, from: [] },
      { text: "Ada likes tea", from: [] },
    ],
    takenOut: [{ text: `Owner: ${bike}`, from: [], at: 1 }],
  });
  documents.put("dream.night", { state: { answer: bike } });
  return { store, documents };
}

const all = (documents: MemoryDocuments) =>
  ["dream.images", "dream.outcomes", "dream.record", "dream.night"]
    .map((name) => JSON.stringify(documents.get(name) ?? null))
    .join();

test("nothing of a night says it any more, and the nights can still be undone", () => {
  const { store, documents } = kept();
  expect(forgetInDreams(store, [bike], third)).toBeGreaterThan(0);
  expect(all(documents)).not.toContain("bike");
  expect(store.record().stated).toEqual([{ text: "Ada likes tea", from: [] }]);
  expect(store.outcomes()[0]?.diary).toBe("[forgotten] It was calm.");
  expect(undoTarget(store.images(), sha256Hex(without))).toMatchObject({
    type: "restore",
    image: { runId: "n2", before: "- Ada likes tea\n" },
  });
});

test("what an undo would bring back says no fact among other things, and can still be brought back", () => {
  const store = new DreamStore(new MemoryDocuments());
  const told = `- Ada likes tea\n- Family: ${bike}. She is a nurse.\n`;
  store.keepImage({ runId: "n1", at: 1, before: told, afterHash: sha256Hex(third) });
  expect(forgetInDreams(store, [bike], third)).toBe(1);
  expect(undoTarget(store.images(), sha256Hex(without))).toMatchObject({
    type: "restore",
    image: { runId: "n1", before: "- Ada likes tea\n" },
  });
});

test("a second time, when the file has it no more, changes nothing", () => {
  const { store, documents } = kept();
  forgetInDreams(store, [bike], third);
  const before = all(documents);
  expect(forgetInDreams(store, [bike], without)).toBe(0);
  expect(all(documents)).toBe(before);
});
