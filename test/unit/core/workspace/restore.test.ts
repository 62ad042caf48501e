import { beforeEach, describe, expect, test } from "vitest";
import { createVersions } from "#core/workspace/versions.ts";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

const note = "memory/2031-05-06.md";

let world: WorkspaceWorld;
beforeEach(() => {
  world = new WorkspaceWorld();
});

const append = (text: string, path: string) => world.operation({ type: "append", text }, path);

describe("a kept version", () => {
  const versions = () =>
    createVersions({
      store: world.store,
      writer: world.writer(),
      ledger: world.ledger(),
      now: () => world.time,
    });

  test("comes back with its lines as they were, and what it replaces is kept", async () => {
    await world.apply(
      append("- clean", note),
      world.tainted({ type: "append", text: "- tainted" }, note),
      world.operation({ type: "write", text: "- anew\n" }, note),
    );
    expect(await world.classes(note)).toEqual(["agent: - anew"]);
    const [newest] = await versions().list(note);
    const id = newest?.id ?? "";
    expect((await versions().read(note, id))?.text).toBe("- clean\n- tainted\n");
    const request = { operationId: "restore-1", path: note, id };
    const result = await versions().restore(request);
    expect(result).toMatchObject({ ok: true });
    expect(await versions().restore(request)).toEqual(result);
    expect(await world.classes(note)).toEqual(["agent: - clean", "untrusted: - tainted"]);
    expect((await world.store.get(note))?.untrusted).toBe(true);
    expect(world.store.kept.map(({ text }) => text)).toContain("- anew\n");
  });

  test("comes back untrusted when nobody knows any more whose it was", async () => {
    await world.apply(
      append("- clean", note),
      world.operation({ type: "write", text: "- b\n" }, note),
    );
    world.ledgerStore.entries.clear();
    const [newest] = await versions().list(note);
    await versions().restore({ operationId: "r", path: note, id: newest?.id ?? "" });
    expect(await world.classes(note)).toEqual(["untrusted: - clean"]);
  });

  test("that does not exist is refused, and so is bringing one back on a model's word", async () => {
    const request = { operationId: "r", path: note, id: "000-x" };
    expect(await versions().restore(request)).toMatchObject({ ok: false });
    const change = { type: "write", text: "- x\n" } as const;
    const operation = { ...world.operation(change, note), restores: true } as const;
    expect(await world.writer().apply(operation)).toMatchObject({ ok: false });
  });
});
