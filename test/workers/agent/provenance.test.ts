import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { WorkspaceOperation } from "#contract/workspace.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import { createClassifier } from "#core/workspace/classifier.ts";
import { createLedger } from "#core/workspace/ledger.ts";
import { createPathLock } from "#core/workspace/path-lock.ts";
import { createLedgerStore } from "#platform/r2/ledger-store.ts";
import { createWorkspaceStore } from "#platform/r2/workspace-store.ts";
import { append, change, editOutside, freshAgent, stored } from "./agent-stub.ts";

const note = "memory/2031-05-06.md";
const at = Date.UTC(2031, 4, 6, 12);

function tainted(path: string, text: string): WorkspaceOperation {
  return {
    ...append(path, text),
    authority: { kind: "turn", interactiveOwner: true, tainted: true },
    author: { trust: "untrusted", at },
    untrusted: true,
  };
}

/** The class of each line, as storage alone tells it. */
async function classes(id: string, path: string): Promise<string[] | undefined> {
  const report = { info() {}, warn() {}, error() {} };
  const ledger = createLedger(createLedgerStore(env.FILES, id), report);
  const store = createWorkspaceStore(env.FILES, id);
  const file = await createClassifier({
    store,
    ledger,
    lock: createPathLock(),
    now: () => at,
  }).readClassified(path);
  return file?.lines
    .filter(({ text }) => text !== "")
    .map(({ text, origin, waiting }) => `${waiting ? "waiting" : origin.trust}: ${text}`);
}

const keysUnder = async (prefix: string) =>
  (await env.FILES.list({ prefix })).objects.map(({ key }) => key.slice(prefix.length));

async function everything(id: string): Promise<string> {
  const { objects } = await env.FILES.list({ prefix: `agents/${id}/` });
  const texts = await Promise.all(
    objects.map(async ({ key }) => (await env.FILES.get(key))?.text()),
  );
  return texts.join("\n");
}

describe("the ledger in R2", () => {
  test("says who is behind each line, also after eviction and without the object", async () => {
    const { id, stub } = freshAgent();
    await stub.applyOperation(append(note, "- clean"));
    await evictDurableObject(stub);
    await stub.applyOperation(tainted(note, "- tainted"));
    expect(await classes(id, note)).toEqual(["agent: - clean", "untrusted: - tainted"]);
    const keys = await keysUnder(`agents/${id}/.pagurus/provenance/${note}/`);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^000000000001-.*\.json$/);
    const listed = await stub.listFolder("memory");
    expect(listed.map(({ name }) => name)).toEqual(["2031-05-06.md"]);
  });

  test("lets what came from outside wait until the owner adopts it", async () => {
    const { id, stub } = freshAgent();
    await stub.applyOperation(append(note, "- ours"));
    await editOutside(id, note, "- ours\n- by hand\n");
    expect(await classes(id, note)).toEqual(["agent: - ours", "waiting: - by hand"]);
    expect(await stub.adoptLines(note)).toBe(1);
    expect(await classes(id, note)).toEqual(["agent: - ours", "owner: - by hand"]);
  });

  test("keeps what nobody is behind out of the prompt, and an owner's edit in it", async () => {
    const { id, stub } = freshAgent();
    await stub.bootstrap();
    await editOutside(id, "MEMORY.md", "## People\n- Ada is my sister <!-- trigger: Ada -->\n");
    await evictDurableObject(stub);
    const before = await stub.bootstrap();
    expect(before.files).toContainEqual({
      path: "MEMORY.md",
      text: "## People\n- Ada is my sister\n",
    });
    expect(before.curated).toMatchObject([{ triggers: ["Ada"], trust: "owner" }]);
    const authority = { kind: "product", purpose: "dreaming" } as const;
    const author = { trust: "system", at } as const;
    await stub.applyOperation({ ...append("MEMORY.md", "- from a job"), authority, author });
    const after = await stub.bootstrap();
    expect(after.files).toContainEqual(expect.objectContaining({ path: "MEMORY.md", leftOut: 1 }));
    expect(after.curated).toEqual(before.curated);
  });

  test("takes a note of nearly a megabyte, and says nothing of one that is larger or no text", async () => {
    const { id, stub } = freshAgent();
    const text = Array.from({ length: 2_500 }, (_, index) => `- ${index} ${"x".repeat(390)}`);
    await editOutside(id, note, `${text.join("\n")}\n`);
    expect(await stub.applyOperation(append(note, "- one more"))).toMatchObject({ ok: true });
    const lines = await classes(id, note);
    expect([lines?.length, lines?.[0]?.slice(0, 12), lines?.at(-1)]).toEqual([
      2_501,
      "waiting: - 0",
      "agent: - one more",
    ]);
    await editOutside(id, "memory/big.md", "y".repeat(1_200_000));
    await env.FILES.put(`agents/${id}/workspace/memory/bin.md`, new Uint8Array([0xff, 0xfe, 0]));
    expect(await classes(id, "memory/big.md")).toEqual([]);
    expect(await classes(id, "memory/bin.md")).toEqual([]);
  });

  // B57
  test.each([
    ["../config.json", false],
    ["memory/..", false],
    ["memory/x/../../cfg", false],
    ["memory/%2e%2e/cfg", false],
    ["memory\\..\\cfg", false],
    ["/etc/passwd", false],
    [".pagurus/provenance/MEMORY.md/1.json", false],
    ["memory/日記.md", true],
    ["memory/a..b.md", true],
  ])("%j is a path of the memory: %s", async (path, allowed) => {
    const { id, stub } = freshAgent();
    const operation = { ...append(path, "- x"), authority: { kind: "owner" } as const };
    expect((await stub.applyOperation(operation)).ok).toBe(allowed);
    const keys = await keysUnder(`agents/${id}/`);
    expect(keys.some((key) => key.startsWith("workspace/"))).toBe(allowed);
    if (!allowed) expect(keys).toEqual([]);
  });
});

describe("a crash", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The next put of such a key never answers. State is shared by polling only: see workspace.test.ts. */
  function hangPut(part: string, when: "before" | "after"): { readonly reached: boolean } {
    const state = { reached: false };
    const original = env.FILES.put.bind(env.FILES);
    const hanging = async (...parameters: Parameters<typeof original>) => {
      if (state.reached || !parameters[0].includes(part)) return original(...parameters);
      if (when === "after") await original(...parameters);
      state.reached = true;
      return new Promise<never>(() => {});
    };
    vi.spyOn(env.FILES, "put").mockImplementation(hanging as typeof original);
    return state;
  }

  test.each([
    [".pagurus/provenance/", "before"],
    [".pagurus/provenance/", "after"],
    [".pagurus/versions/", "after"],
    ["workspace/memory/", "before"],
    ["workspace/memory/", "after"],
  ] as const)("at the put of %s (%s) raises no line and loses none", async (part, when) => {
    const { id, stub } = freshAgent();
    await stub.applyOperation(append(note, "- clean"));
    const operation = tainted(note, "- tainted");
    const hanging = hangPut(part, when);
    const lost = stub.applyOperation(operation).catch((error: unknown) => error);
    await vi.waitFor(() => expect(hanging.reached).toBe(true), 15_000);
    await abortAllDurableObjects();
    expect(await lost).toBeInstanceOf(Error);
    vi.restoreAllMocks();
    for (const line of (await classes(id, note)) ?? []) {
      expect(["agent: - clean", "untrusted: - tainted"]).toContain(line);
    }
    expect(await env.AGENT.getByName(id).applyOperation(operation)).toMatchObject({ ok: true });
    expect(await classes(id, note)).toEqual(["agent: - clean", "untrusted: - tainted"]);
  });
});

describe("versions and transcripts", () => {
  test("a version comes back, with its lines as they were", async () => {
    const { id, stub } = freshAgent();
    await stub.applyOperation(tainted(note, "- tainted"));
    await stub.applyOperation(change(note, { type: "write", text: "- anew\n" }));
    const [version] = await stub.listVersions(note);
    expect(version).toMatchObject({ size: 10 });
    const versionId = version?.id ?? "";
    expect(await stub.readVersion(note, versionId)).toBe("- tainted\n");
    expect(await stub.readVersion(note, `../${versionId}`)).toBeNull();
    const request = { operationId: "restore", path: note, id: versionId };
    expect(await stub.restoreVersion(request)).toMatchObject({ ok: true });
    expect(await classes(id, note)).toEqual(["untrusted: - tainted"]);
    expect(await stub.readFile(note)).toMatchObject({ untrusted: true });
  });

  test("what was said is kept once, outside the workspace, and forgotten with all the rest", async () => {
    const { id, stub } = freshAgent();
    const origin = { trust: "owner", session: "k", message: "s:1", at } as const;
    const line = { id: "s:1", role: "user", text: "my bike is red", origin } as const;
    const batch = { sessionKey: `agent:${id}:main`, identity: "ada", lines: [line] };
    await stub.ingestTranscript(batch);
    await stub.ingestTranscript(batch);
    const keys = await keysUnder(`agents/${id}/.pagurus/transcripts/`);
    expect(keys).toEqual([`agent.${id}.main/2031-05-06.jsonl`]);
    await stub.applyOperation(append(note, "- my bike is red\n- hello"));
    await stub.applyOperation(append(note, "- more"));

    const request = { operationId: "forget", hashes: [lineHash("my bike is red")] };
    const report = await stub.forgetLines(request);
    expect(report.removed.map(({ lines }) => lines)).toEqual([1, 1]);
    expect(await stub.forgetLines(request)).toEqual(report);
    expect(await stored(id, note)).toBe("- hello\n- more\n");
    expect(await everything(id)).not.toContain("bike");
    expect(await everything(id)).not.toContain(lineHash("- my bike is red"));
    expect(await classes(id, note)).toEqual(["agent: - hello", "agent: - more"]);
  });
});
