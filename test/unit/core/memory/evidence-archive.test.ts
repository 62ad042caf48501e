import { beforeEach, describe, expect, test } from "vitest";
import { dreamRecordSchema, type DreamRecord } from "#contract/dreaming.ts";
import type { Recall } from "#contract/memory-index.ts";
import { createEvidenceArchive } from "#core/memory/evidence-archive.ts";
import { MemoryEvidenceStore } from "#test/doubles/evidence-store.ts";
import { MemoryIndexDouble } from "#test/doubles/memory-index.ts";

const day = 86_400_000;
let now: number;
let store: MemoryEvidenceStore;
let index: MemoryIndexDouble;
let record: DreamRecord;
let reported: string[];

beforeEach(() => {
  now = Date.UTC(2026, 4, 20, 12);
  store = new MemoryEvidenceStore();
  index = new MemoryIndexDouble();
  record = dreamRecordSchema.parse({});
  reported = [];
});

const archive = () =>
  createEvidenceArchive({
    store,
    index,
    record: { get: () => record, set: (next) => void (record = next) },
    now: () => now,
    report: { info() {}, warn() {}, error: (event) => void reported.push(event) },
  });

function recall(lineHash: string, ago: number, queryHash = "q"): Recall {
  const at = now - ago * day;
  return {
    lineHash,
    queryHash,
    path: "memory/a.md",
    day: new Date(at).toISOString().slice(0, 10),
    score: 0.5,
    rank: 1,
    sessionKey: "agent:main:main",
    at,
  };
}

describe("the evidence beside the files", () => {
  test("brings back recalls and the nights' record to databases that lost them", async () => {
    const recalls = [recall("a", 0), recall("a", 0, "other"), recall("a", 1), recall("b", 35)];
    await index.addRecalls(recalls);
    record = { ...record, lastAt: 7, settled: ["memory/a.md#0123456789abcdef"] };
    await archive().save();
    const [before, kept] = [new Set(index.recalls), record];
    index.recalls = [];
    record = dreamRecordSchema.parse({});
    await archive().restore();
    expect(new Set(index.recalls)).toEqual(before);
    expect(record).toEqual(kept);
    await archive().restore();
    expect(index.recalls).toHaveLength(before.size);
  });

  test("is never less than what was saved, and written only where it grew", async () => {
    await index.addRecalls([recall("a", 0)]);
    await archive().save();
    index.recalls = [recall("b", 0)];
    await archive().save();
    expect(store.puts).toBe(2);
    await archive().save();
    expect(store.puts).toBe(2);
    index.recalls = [];
    await archive().restore();
    expect(index.recalls.map(({ lineHash }) => lineHash).toSorted()).toEqual(["a", "b"]);
  });

  test("is kept for ninety days", async () => {
    await index.addRecalls([recall("a", 0)]);
    await archive().save();
    now += 125 * day;
    await index.addRecalls([recall("b", 0)]);
    await archive().save();
    expect(index.recalls.map(({ lineHash }) => lineHash)).toEqual(["b"]);
    expect(store.texts.size).toBe(1);
  });

  test("forgets the recalls of a line for good", async () => {
    await index.addRecalls([recall("a", 0), recall("b", 0)]);
    await archive().save();
    await archive().forget(["a"]);
    await archive().restore();
    expect(index.recalls.map(({ lineHash }) => lineHash)).toEqual(["b"]);
    expect([...store.texts.values()].join()).not.toContain('"a"');
  });

  test("keeps no words that the nights' record has forgotten, or that nobody can tell about", async () => {
    const said = (text: string) => [{ text, from: [] }];
    record = { ...record, lastAt: 7, stated: said("The boat is called Nautilus") };
    await archive().save();
    record = { ...record, stated: [] };
    await archive().forget([]);
    expect(store.texts.get("dreams.json")).not.toContain("Nautilus");
    record = { ...record, stated: said("The boat is called Nautilus") };
    await archive().save();
    record = dreamRecordSchema.parse({});
    await archive().forget([]);
    await archive().restore();
    expect(record).toMatchObject({ lastAt: 7, stated: [] });
    store.texts.set("dreams.json", '{"stated":[{"text":"Nautilus"');
    record = dreamRecordSchema.parse({});
    await archive().forget([]);
    expect(store.texts.has("dreams.json")).toBe(false);
  });

  test("that is damaged gives back what can be read, and says so", async () => {
    await index.addRecalls([recall("a", 0), recall("b", 0)]);
    await archive().save();
    const [name = ""] = store.texts.keys();
    store.texts.set(name, `{"lineHash":1}\n\u0000\u0001\n${store.texts.get(name) ?? ""}`);
    store.texts.set("dreams.json", "{");
    index.recalls = [];
    await archive().restore();
    expect(index.recalls).toHaveLength(2);
    expect(reported).toEqual(["memory.recalls_unreadable"]);
  });
});
