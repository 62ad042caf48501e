import { beforeEach, describe, expect, test } from "vitest";
import { createLedger } from "#core/workspace/ledger.ts";
import { createReader } from "#core/workspace/reader.ts";
import { MemoryLedgerStore } from "#test/doubles/ledger-store.ts";
import { MemoryOperationLog, MemoryWorkspaceStore } from "#test/doubles/workspace-store.ts";

let store: MemoryWorkspaceStore;
let log: MemoryOperationLog;
let pause: () => Promise<void>;
let time: number;
const clock = { now: () => time, pause: () => pause() };
const ledger = createLedger(new MemoryLedgerStore(), { info() {}, warn() {}, error() {} });
const reader = () => createReader({ store, log, ledger, clock });

beforeEach(() => {
  store = new MemoryWorkspaceStore(() => 0);
  log = new MemoryOperationLog();
  pause = async () => {};
  time = 0;
});

function logAppend(path: string, text: string, untrusted = false): void {
  const mark = untrusted ? { untrusted } : {};
  const change = { type: "append", text } as const;
  log.record({ operationId: crypto.randomUUID(), path, change, ...mark });
}

describe("read", () => {
  test("is null without a file", async () => {
    expect(await reader().read("a.md")).toBeNull();
  });

  test("shows what is logged but not yet put", async () => {
    store.editOutside("a.md", "old\n");
    logAppend("a.md", "new");
    const file = await reader().read("a.md");
    expect(file).toMatchObject({ text: "old\nnew\n", size: 8 });
    expect(file?.etag).not.toBe(store.files.get("a.md")?.etag);
  });
});

describe("list", () => {
  test("shows files and folders, also those that are only logged", async () => {
    store.editOutside("b.md", "12");
    store.editOutside("memory/2030-01-02.md", "x");
    logAppend("a.md", "xyz");
    logAppend("projects/boat/plan.md", "x");
    expect(await reader().list("")).toEqual([
      { name: "a.md", size: 4 },
      { name: "b.md", size: 2 },
      { name: "memory/", size: 0 },
      { name: "projects/", size: 0 },
    ]);
    expect(await reader().list("projects")).toEqual([{ name: "boat/", size: 0 }]);
    expect(await reader().list("absent")).toEqual([]);
  });

  test("marks the names that only untrusted writes have made, files and folders alike", async () => {
    store.editOutside("mine/a.md", "x");
    logAppend("mine/theirs.md", "x", true);
    logAppend("theirs/b.md", "x", true);
    logAppend("word.md", "x", true);
    const untrusted = async (folder: string) =>
      (await reader().list(folder)).filter((entry) => entry.untrusted).map(({ name }) => name);
    expect(await untrusted("")).toEqual(["theirs/", "word.md"]);
    expect(await untrusted("mine")).toEqual(["theirs.md"]);
    for (const path of ["mine/theirs.md", "theirs/b.md", "word.md"]) {
      await store.put({ path, text: "x", untrusted: true, operations: [], expected: null });
    }
    log = new MemoryOperationLog();
    expect(await untrusted("")).toEqual(["theirs/", "word.md"]);
    expect(await untrusted("mine")).toEqual(["theirs.md"]);
    store.editOutside("word.md", "made anew");
    expect(await untrusted("")).toEqual(["theirs/"]);
  });

  test("does not suspect names that everybody's notes have, and all others if it cannot tell", async () => {
    logAppend("memory/2031-02-03.md", "x", true);
    const marked = async () => (await reader().list("")).filter((entry) => entry.untrusted);
    expect(await marked()).toEqual([]);
    expect(await reader().list("memory")).toEqual([{ name: "2031-02-03.md", size: 2 }]);
    store.tooManyToTell = true;
    store.editOutside("known.md", "x");
    logAppend("theirs/b.md", "x", true);
    expect(await marked()).toMatchObject([{ name: "theirs/" }]);
  });
});

describe("grep", () => {
  const query = { pattern: "boat", folder: "", ignoreCase: true, maxMatches: 3 };

  test("finds lines in files and in what is logged", async () => {
    store.editOutside("a.md", "the Boat\nno\nboat two");
    logAppend("b.md", "a boat too");
    expect(await reader().grep(query)).toEqual({
      ok: true,
      matches: [
        { path: "a.md", line: 1, text: "the Boat" },
        { path: "a.md", line: 3, text: "boat two" },
        { path: "b.md", line: 1, text: "a boat too" },
      ],
      truncated: false,
    });
  });

  test("looks only below the folder, and takes a file for one", async () => {
    store.editOutside("a.md", "boat");
    store.editOutside("memory/a.md", "boat in memory");
    store.editOutside("memory2.md", "boat");
    const paths = async (folder: string) => {
      const result = await reader().grep({ ...query, folder });
      return result.ok ? result.matches.map((match) => match.path) : [];
    };
    expect(await paths("memory")).toEqual(["memory/a.md"]);
    expect(await paths("memory2.md")).toEqual(["memory2.md"]);
    expect(await paths("absent")).toEqual([]);
  });

  test("says when there is more, and when some of it is untrusted", async () => {
    store.editOutside("a.md", "boat\n".repeat(9));
    const many = await reader().grep(query);
    expect(many).toMatchObject({ ok: true, truncated: true });
    expect(many.ok && many.matches).toHaveLength(3);
    store = new MemoryWorkspaceStore(() => 0);
    logAppend("web.md", "a boat from outside", true);
    expect(await reader().grep(query)).toMatchObject({ untrusted: true });
  });

  test("ends with what it has found when its time is up, and says so", async () => {
    for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
      store.editOutside(`${name}.md`, `boat ${name}\n`);
    }
    pause = async () => void (time += 400);
    const result = await reader().grep({ ...query, maxMatches: 50 });
    expect(result).toMatchObject({ ok: true, truncated: true });
    expect(result.ok && result.matches.map((match) => match.path)).toEqual([
      "a.md",
      "b.md",
      "c.md",
      "d.md",
    ]);
  });

  test("lets others in between two slices of one text", async () => {
    store.editOutside("a.md", `${"x".repeat(999)}\n`.repeat(1_000));
    const done: string[] = [];
    let pauses = 0;
    pause = async () => {
      pauses += 1;
      await new Promise(setImmediate);
    };
    const search = reader().grep({ ...query, pattern: "(x?y?){50}q" });
    await Promise.all([
      search.then(() => done.push("grep")),
      new Promise(setImmediate).then(() => done.push("other")),
    ]);
    expect(done).toEqual(["other", "grep"]);
    expect(pauses).toBeGreaterThan(20);
  });

  test("refuses a pattern it cannot use", async () => {
    expect(await reader().grep({ ...query, pattern: "(" })).toMatchObject({ ok: false });
  });
});
