import { beforeEach, describe, expect, test } from "vitest";
import { bootstrapGrant, createBootstrapCache } from "#core/workspace/bootstrap.ts";
import { createLedger, type Ledger } from "#core/workspace/ledger.ts";
import { defaultFiles } from "#core/workspace/default-files.ts";
import type { PutFile } from "#core/workspace/writer.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import { estimateTokens } from "#kit/tokens.ts";
import { MemoryLedgerStore } from "#test/doubles/ledger-store.ts";
import { MemoryWorkspaceStore } from "#test/doubles/workspace-store.ts";

let time: number;
let store: MemoryWorkspaceStore;
let ledger: Ledger;
let isSeeded: boolean;

beforeEach(() => {
  time = 1_900_000_000_000;
  store = new MemoryWorkspaceStore(() => time);
  ledger = createLedger(new MemoryLedgerStore(), silent);
  isSeeded = false;
});

const silent = { info() {}, warn() {}, error() {} };

function cache() {
  const seeded = { get: () => isSeeded, set: () => void (isSeeded = true) };
  return createBootstrapCache({ store, ledger, now: () => time, report: silent, seeded });
}

describe("the default files", () => {
  test("are short", () => {
    for (const { path, text } of defaultFiles) {
      expect(text.length, path).toBeLessThanOrEqual(path === "AGENTS.md" ? 1500 : 500);
    }
    const all = defaultFiles.map((file) => file.text).join("\n");
    expect(estimateTokens(all)).toBeLessThan(700);
  });

  // B68
  test("have a heartbeat file that says nothing to do", () => {
    const heartbeat = defaultFiles.find((file) => file.path === "HEARTBEAT.md")?.text ?? "";
    expect(heartbeat.replace(/<!--[^]*?-->/g, "").trim()).toBe("");
  });

  test("are made on the first use, without touching what is there", async () => {
    store.editOutside("SOUL.md", "my own");
    const bootstrap = await cache().current();
    expect(bootstrap?.files.map((file) => file.path).toSorted()).toEqual(
      defaultFiles.map((file) => file.path).toSorted(),
    );
    expect(store.text("SOUL.md")).toBe("my own");
  });

  test("stay deleted once they were made", async () => {
    await cache().current();
    store.files.delete("MEMORY.md");
    time += 60_000;
    const bootstrap = await cache().current();
    expect(bootstrap?.files.map((file) => file.path)).not.toContain("MEMORY.md");
    expect(store.text("MEMORY.md")).toBeUndefined();
  });

  test("are completed after a crash half-way", async () => {
    store.gate = (phase, path) => {
      if (phase === "put" && path === "USER.md") throw new Error("down");
    };
    expect(await cache().current()).toBeNull();
    store.gate = () => {};
    const bootstrap = await cache().current();
    expect(bootstrap?.files).toHaveLength(defaultFiles.length);
  });
});

/** What the writer tells of a put by the agent. */
async function put(path: string, text: string): Promise<PutFile> {
  const lines = [{ hash: lineHash(text), trust: "agent", at: time } as const];
  const entry = await ledger.write({ path, text, lines, operationId: "o" });
  return { path, text, etag: "e9", entry };
}

describe("the cache", () => {
  const textOf = async (one: ReturnType<typeof cache>, path: string) =>
    (await one.current())?.files.find((file) => file.path === path)?.text;

  test("lists at most every 30 seconds, and reads only what has changed", async () => {
    const one = cache();
    await one.current();
    let gets = 0;
    store.gate = (phase) => void (gets += phase === "get" ? 1 : 0);
    time += 29_000;
    store.editOutside("USER.md", "edited by hand");
    expect(await textOf(one, "USER.md")).not.toBe("edited by hand\n");
    expect(store.lists).toBe(1);
    time += 1_000;
    expect(await textOf(one, "USER.md")).toBe("edited by hand\n");
    expect([store.lists, gets]).toEqual([2, 1]);
  });

  test("lists again after the clock was set back", async () => {
    const one = cache();
    await one.current();
    store.editOutside("USER.md", "edited by hand");
    time -= 3_600_000;
    expect(await textOf(one, "USER.md")).toBe("edited by hand\n");
    await one.current();
    expect(store.lists).toBe(2);
  });

  test("knows own writes at once", async () => {
    const one = cache();
    const before = await one.current();
    one.note(await put("MEMORY.md", "- fresh"));
    one.note({ path: "notes/other.md", text: "not for prompts", etag: "e9" });
    const after = await one.current();
    expect(after?.files).toContainEqual({ path: "MEMORY.md", text: "- fresh\n" });
    expect(after?.files).toHaveLength(defaultFiles.length);
    expect(after?.version).not.toBe(before?.version);
  });

  test("does not let an older listing undo an own write", async () => {
    const one = cache();
    await one.current();
    time += 31_000;
    store.editOutside("USER.md", "older");
    const newer = await put("USER.md", "newer");
    store.gate = (phase, path) => {
      if (phase !== "get" || path !== "USER.md") return;
      store.gate = () => {};
      one.note(newer);
    };
    expect(await textOf(one, "USER.md")).toBe("newer\n");
  });

  test("has the same version as long as nothing changes", async () => {
    const one = await cache().current();
    time += 31_000;
    const two = await cache().current();
    expect(two?.version).toBe(one?.version);
  });

  test("goes on with what it knows when storage fails", async () => {
    const one = cache();
    const before = await one.current();
    time += 31_000;
    store.list = () => Promise.reject(new Error("down"));
    expect(await one.current()).toEqual(before);
  });
});

describe("what a step is granted", () => {
  const current = { version: "v2", files: [] };

  test.each([
    ["nothing new", current, "v2", null],
    ["the new version", current, "v1", current],
    ["all, the first time", current, undefined, current],
    ["what it has, without storage", null, "v1", null],
    ["no files, without storage the first time", null, undefined, { version: "none", files: [] }],
  ])("%s", (_name, known, has, expected) => {
    expect(bootstrapGrant(known, has)).toEqual(expected);
  });
});
