import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { WorkspaceOperation } from "#contract/workspace.ts";
import { createWorkspaceStore } from "#platform/r2/workspace-store.ts";
import { append, change, editOutside, freshAgent, stored } from "./agent-stub.ts";

const step = { sessionKey: "k", turnId: "t", lane: "main" } as const;

describe("bootstrap", () => {
  test("makes the default files on the first step and hands over what the caller lacks", async () => {
    const { id, stub } = freshAgent();
    const first = await stub.beginStep(step);
    if (!first.granted || !first.bootstrap) throw new Error("no bootstrap");
    expect(first.bootstrap.files.map((file) => file.path)).toContain("AGENTS.md");
    expect(await stored(id, "SOUL.md")).toContain("Warm");
    const second = await stub.beginStep({ ...step, knownBootstrap: first.bootstrap.version });
    expect(second).toEqual({ granted: true, bootstrap: null });
  });

  test("never makes a deleted file again, whatever happens to the object", async () => {
    const { id, stub } = freshAgent();
    await stub.beginStep(step);
    await env.FILES.delete(`agents/${id}/workspace/HEARTBEAT.md`);
    await evictDurableObject(stub);
    const bootstrap = await stub.bootstrap();
    expect(bootstrap.files.map((file) => file.path)).not.toContain("HEARTBEAT.md");
    expect(await stored(id, "HEARTBEAT.md")).toBeUndefined();
  });

  test("shows an own write with the next step, and an edit from outside after eviction", async () => {
    const { id, stub } = freshAgent();
    await stub.beginStep(step);
    await stub.applyOperation(append("TOOLS.md", "- the printer is called Otto"));
    const own = await stub.bootstrap();
    expect(own.files).toContainEqual({ path: "TOOLS.md", text: "- the printer is called Otto\n" });
    await editOutside(id, "TOOLS.md", "- by hand");
    await evictDurableObject(stub);
    const outside = await stub.bootstrap();
    expect(outside.files).toContainEqual({ path: "TOOLS.md", text: "- by hand" });
    expect(outside.version).not.toBe(own.version);
  });
});

describe("operations", () => {
  test("read back what they wrote, and leave the old version behind", async () => {
    const { id, stub } = freshAgent();
    await stub.applyOperation(change("notes/日記.md", { type: "write", text: "eins" }));
    const file = await stub.readFile("notes/日記.md");
    expect(file).toMatchObject({ text: "eins", size: 4 });
    const guarded = { type: "write", text: "zwei", ifEtag: file?.etag ?? null } as const;
    const result = await stub.applyOperation(change("notes/日記.md", guarded));
    expect(result).toMatchObject({ ok: true, created: false });
    const kept = await env.FILES.list({ prefix: `agents/${id}/.pagurus/versions/notes/日記.md/` });
    expect(kept.objects).toHaveLength(1);
    expect(await (await env.FILES.get(kept.objects[0]?.key ?? ""))?.text()).toBe("eins");
    expect(await stub.applyOperation(change("notes/日記.md", guarded))).toMatchObject({
      ok: false,
    });
  });

  test("that come at once are all there", async () => {
    const { id, stub } = freshAgent();
    const lines = Array.from({ length: 20 }, (_, index) => `entry ${index}`);
    const results = await Promise.all(
      lines.map((line) => stub.applyOperation(append("memory/2031-02-03.md", line))),
    );
    expect(results.every((result) => result.ok)).toBe(true);
    const text = await stored(id, "memory/2031-02-03.md");
    expect(text?.trim().split("\n").toSorted()).toEqual(lines.toSorted());
  });

  test("happen once per id, also after the object was loaded anew", async () => {
    const { id, stub } = freshAgent();
    const operation = append("log.md", "once");
    const first = await stub.applyOperation(operation);
    await evictDurableObject(stub);
    expect(await stub.applyOperation(operation)).toEqual(first);
    expect(await stored(id, "log.md")).toBe("once\n");
  });

  test("see an edit from outside and add to it", async () => {
    const { id, stub } = freshAgent();
    await stub.applyOperation(append("list.md", "- milk"));
    await editOutside(id, "list.md", "- milk\n- bread\n");
    const swap = { type: "replace", oldText: "milk", newText: "oat milk", all: false } as const;
    await stub.applyOperation(change("list.md", swap));
    expect(await stored(id, "list.md")).toBe("- oat milk\n- bread\n");
  });

  test("leave alone what is not text", async () => {
    const { id, stub } = freshAgent();
    await env.FILES.put(`agents/${id}/workspace/a.bin`, new Uint8Array([0xff, 0xfe, 0x00]));
    const result = await stub.applyOperation(append("a.bin", "x"));
    expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/not a text file/) });
  });

  test("refuse a file that is too large, and read its beginning", async () => {
    const { id, stub } = freshAgent();
    await editOutside(id, "big.md", "y".repeat(1_200_000));
    expect(await stub.applyOperation(append("big.md", "x"))).toMatchObject({ ok: false });
    const file = await stub.readFile("big.md");
    expect([file?.size, file?.text.length]).toEqual([1_200_000, 1_048_576]);
  });
});

/**
 * Lets the next put of R2 hang for ever, before or after its effect. State is shared by polling only:
 * objects may not resolve each other's promises.
 */
function hangNextPut(when: "before" | "after"): { readonly reached: boolean } {
  const state = { reached: false };
  const original = env.FILES.put.bind(env.FILES);
  const hanging = async (...parameters: Parameters<typeof original>) => {
    if (when === "after") await original(...parameters);
    state.reached = true;
    return new Promise<never>(() => {});
  };
  vi.spyOn(env.FILES, "put").mockImplementationOnce(hanging as typeof original);
  return state;
}

describe("a crash", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Starts the operation and kills all objects while it hangs. */
  async function killDuring(id: string, operation: WorkspaceOperation, when: "before" | "after") {
    const hanging = hangNextPut(when);
    const lost = env.AGENT.getByName(id)
      .applyOperation(operation)
      .catch((error: unknown) => error);
    await vi.waitFor(() => expect(hanging.reached).toBe(true), 15_000);
    const seen = await env.AGENT.getByName(id).readFile(operation.path);
    await abortAllDurableObjects();
    expect(await lost).toBeInstanceOf(Error);
    return seen;
  }

  test("between log and put is made good by the alarm, and readers never notice", async () => {
    const { id } = freshAgent();
    const operation = append("journal.md", "kept");
    const seen = await killDuring(id, operation, "before");
    expect(seen).toMatchObject({ text: "kept\n" });
    expect(await stored(id, "journal.md")).toBeUndefined();
    await vi.waitFor(async () => expect(await stored(id, "journal.md")).toBe("kept\n"), 15_000);
    const again = await env.AGENT.getByName(id).applyOperation(operation);
    expect(again).toMatchObject({ ok: true, created: true });
    expect(await stored(id, "journal.md")).toBe("kept\n");
  });

  test("after the put is recognised when the caller asks again", async () => {
    const { id } = freshAgent();
    const operation = append("journal.md", "only once");
    await killDuring(id, operation, "after");
    const again = await env.AGENT.getByName(id).applyOperation(operation);
    expect(again).toMatchObject({ ok: true, created: true });
    expect(await stored(id, "journal.md")).toBe("only once\n");
  });
});

describe("looking around", () => {
  test("lists and searches what is there", async () => {
    const { id, stub } = freshAgent();
    await editOutside(id, "a.md", "the boat\n");
    await editOutside(id, "memory/2031-02-03.md", "boat trip\nnothing\n");
    await env.FILES.put(`agents/${id}/workspace/photo.png`, "boat");
    expect(await stub.listFolder("")).toEqual([
      { name: "a.md", size: 9 },
      { name: "memory/", size: 0 },
      { name: "photo.png", size: 4 },
    ]);
    const found = await stub.grepFiles({
      pattern: "boat",
      folder: "",
      ignoreCase: true,
      maxMatches: 10,
    });
    expect(found).toMatchObject({
      ok: true,
      truncated: false,
      matches: [
        { path: "a.md", line: 1, text: "the boat" },
        { path: "memory/2031-02-03.md", line: 1, text: "boat trip" },
      ],
    });
  });

  test("a heavy search in one call does not keep others out", async () => {
    const { id, stub } = freshAgent();
    await editOutside(id, "small.md", "hello\n");
    for (const name of ["a", "b", "c", "d", "e", "f"]) {
      await editOutside(id, `${name}.md`, `${"ab".repeat(500)}\n`.repeat(900));
    }
    let ended = false;
    const query = { pattern: "(?:a?.?){80}z", folder: "", ignoreCase: true, maxMatches: 10 };
    const search = stub.grepFiles(query).finally(() => (ended = true));
    for (let calls = 0; calls < 3; calls += 1) {
      expect(await stub.readFile("small.md")).toMatchObject({ text: "hello\n" });
      expect(ended).toBe(false);
    }
    expect(await search).toMatchObject({ ok: true, matches: [] });
  });

  test("sees nothing of other agents and nothing of kept versions", async () => {
    const { stub } = freshAgent();
    await freshAgent().stub.applyOperation(append("secret.md", "other"));
    await stub.applyOperation(append("own.md", "a"));
    await stub.applyOperation(append("own.md", "b"));
    expect(await stub.listFolder("")).toEqual([{ name: "own.md", size: 4 }]);
    const query = { pattern: ".", folder: "", ignoreCase: false, maxMatches: 10 };
    const found = await stub.grepFiles(query);
    expect(found.ok && found.matches.map((match) => match.path)).toEqual(["own.md", "own.md"]);
  });
});

describe("storage", () => {
  const old = (path: string, age: number) => ({
    path,
    text: `version ${age}`,
    etag: `etag${age}`,
    size: 9,
    modifiedAt: 1_900_000_000_000 - age,
    editable: true,
    untrusted: false,
    operations: [],
  });

  test("keeps the newest twenty versions of a file, and those of its neighbours", async () => {
    const { id } = freshAgent();
    const store = createWorkspaceStore(env.FILES, id);
    await store.keepVersion(old("a", 1));
    await store.keepVersion(old("a/b.md", 1));
    for (let age = 0; age < 25; age += 1) await store.keepVersion(old("a", age));
    await store.pruneVersions("a");
    const kept = await env.FILES.list({ prefix: `agents/${id}/.pagurus/versions/a/` });
    const texts = kept.objects.map((object) => /etag\d+$/.exec(object.key)?.[0]);
    expect(texts.filter(Boolean)).toHaveLength(21);
    expect(texts).toContain("etag0");
    expect(texts).not.toContain("etag20");
    expect(kept.objects.some((object) => object.key.includes("/a/b.md/"))).toBe(true);
  });

  test("puts only over the version that is expected", async () => {
    const { id } = freshAgent();
    const store = createWorkspaceStore(env.FILES, id);
    const file = { path: "a.md", text: "one", untrusted: true, operations: ["t 1:ü"] };
    const first = await store.put({ ...file, expected: null });
    expect(await store.put({ ...file, expected: null })).toBeNull();
    expect(await store.put({ ...file, text: "two", expected: "0123" })).toBeNull();
    expect(await store.get("a.md")).toMatchObject({ ...file, etag: first?.etag, editable: true });
    await store.put({ ...file, text: "two", untrusted: false, expected: first?.etag ?? "" });
    expect(await store.get("a.md")).toMatchObject({ text: "two", untrusted: false });
    expect(await store.get("b.md")).toBeNull();
    await store.put({ ...file, path: "x/c.md", expected: null });
    const files = [
      { path: "a.md", untrusted: false },
      { path: "x/c.md", untrusted: true },
    ];
    expect(await store.origins("")).toEqual({ files, truncated: false });
    expect((await store.origins("x")).files).toEqual(files.slice(1));
    const listed = await store.page("", null);
    expect(listed.files.map(({ path }) => path)).toEqual(["a.md", "x/c.md"]);
    expect(await store.page("", "a.md")).toEqual({ files: listed.files.slice(1), more: false });
    expect(await store.page("x", null)).toEqual({ files: listed.files.slice(1), more: false });
    expect(await store.etag("x/c.md")).toBe(listed.files[1]?.etag);
    expect(await store.etag("x")).toBeNull();
  });

  test("reads metadata that others have written without tripping over it", async () => {
    const { id } = freshAgent();
    const customMetadata = { operations: "%E0%A4%A 100%" };
    await env.FILES.put(`agents/${id}/workspace/a.md`, "\uFEFFtext", { customMetadata });
    const file = await createWorkspaceStore(env.FILES, id).get("a.md");
    expect(file).toMatchObject({ text: "\uFEFFtext", editable: true });
  });
});
