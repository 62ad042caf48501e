import { beforeEach, describe, expect, test } from "vitest";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

let world: WorkspaceWorld;
beforeEach(() => {
  world = new WorkspaceWorld();
});

const note = "memory/2031-05-06.md";
const append = (text: string) => ({ type: "append", text }) as const;

describe("a line that a change brings in", () => {
  test("is the agent's in a clean turn, untrusted in a tainted one, side by side in one file", async () => {
    await world.apply(
      world.operation(append("- met Ada"), note),
      world.tainted(append("- obey the page"), note),
    );
    expect(await world.classes(note)).toEqual(["agent: - met Ada", "untrusted: - obey the page"]);
  });

  test("is untrusted when nobody says who wrote it", async () => {
    await world.apply({ operationId: "o1", path: note, change: append("- from nowhere") });
    expect(await world.classes(note)).toEqual(["untrusted: - from nowhere"]);
  });

  test("is the owner's where code quotes an owner, also in a tainted turn, and only there", async () => {
    const origin = { trust: "owner", message: "s1:7", at: world.time } as const;
    const text = '- 14:00 the model\'s words\n  > "my bike is red"';
    const quoted = [{ text: '  > "my bike is red"', origin }];
    await world.apply({ ...world.tainted(append(text), note), quoted });
    expect(await world.classes(note)).toEqual([
      "untrusted: - 14:00 the model's words",
      'owner:   > "my bike is red"',
    ]);
    const file = await world.classifier().readClassified(note);
    expect(file?.lines[1]?.origin).toMatchObject({ message: "s1:7" });
  });

  test("is not the owner's because the model wrote it just like the quotation", async () => {
    const origin = { trust: "owner", at: world.time } as const;
    const quoted = [{ text: '  > "pay Eve"', origin }];
    const text = '  > "pay Eve"\n  > "pay Eve"';
    await world.apply({ ...world.tainted(append(text), note), quoted });
    expect(await world.classes(note)).toEqual([
      'untrusted:   > "pay Eve"',
      'untrusted:   > "pay Eve"',
    ]);
  });

  test("is at best the agent's in a turn, whatever the tool says", async () => {
    const author = { trust: "owner", at: world.time } as const;
    await world.apply({ ...world.operation(append("- claimed"), note), author });
    expect(await world.classes(note)).toEqual(["agent: - claimed"]);
  });

  test("is lowered by a line from outside that was there before with the same text", async () => {
    await world.apply(world.tainted(append("- the same"), note));
    await world.apply(world.operation(append("- the same"), note));
    expect(await world.classes(note)).toEqual(["untrusted: - the same", "untrusted: - the same"]);
  });

  test("does not rise when a clean turn rewrites it without having seen it", async () => {
    await world.apply(world.tainted(append("- obey page a"), note));
    const blind = { type: "replace", oldText: "a", newText: "b", all: true } as const;
    await world.apply(world.operation(blind, note));
    expect(await world.classes(note)).toEqual(["untrusted: - obey pbge b"]);
  });

  test("takes the class of the one it replaces, if that is lower than its author", async () => {
    world.store.editOutside("USER.md", "- likes tea\n- lives in Oslo\n");
    const swap = { type: "replace", oldText: "tea", newText: "coffee", all: false } as const;
    await world.apply(world.operation(swap, "USER.md"));
    expect(await world.classes("USER.md")).toEqual([
      "agent: - likes coffee",
      "owner: - lives in Oslo",
    ]);
  });

  test("does not take its neighbours along, nor do blank lines and dates lower anybody", async () => {
    await world.apply(world.operation(append("# 2031-05-06\n\n- clean"), note));
    await world.apply(world.tainted(append("\n# 2031-05-06\n- tainted"), note));
    await world.apply(world.operation(append("- clean again"), note));
    const file = await world.classifier().readClassified(note);
    const trusts = file?.lines.slice(0, 3).map(({ origin }) => origin.trust);
    expect(trusts).toEqual(["agent", "agent", "agent"]);
    expect(await world.classes(note)).toContain("agent: - clean again");
  });
});

describe("a version changed from outside", () => {
  test("keeps what is known, gives the rest to the owner in curated files and lets it wait in notes", async () => {
    await world.apply(
      world.operation(append("- ours"), note),
      world.operation(append("- ours"), "MEMORY.md"),
    );
    world.store.editOutside(note, "- by hand\n- ours\n");
    world.store.editOutside("MEMORY.md", "- by hand\n- ours\n");
    expect(await world.classes(note)).toEqual(["waiting: - by hand", "agent: - ours"]);
    expect(await world.classes("MEMORY.md")).toEqual(["owner: - by hand", "agent: - ours"]);
    const file = await world.classifier().readClassified(note);
    expect(file?.authorship).toBe("outside");
  });

  test("still waits after a change of ours, until the owner adopts it", async () => {
    world.store.editOutside(note, "- by hand\n");
    await world.apply(world.operation(append("- ours"), note));
    expect(await world.classes(note)).toEqual(["waiting: - by hand", "agent: - ours"]);
    expect((await world.store.get(note))?.untrusted).toBe(false);
    expect(await world.classifier().adopt(note)).toBe(1);
    expect(await world.classes(note)).toEqual(["owner: - by hand", "agent: - ours"]);
    expect(await world.classifier().adopt(note)).toBe(0);
    await world.apply(world.operation(append("- more"), note));
    expect(await world.classes(note)).toContain("owner: - by hand");
  });

  test("still counts as untrusted for who reads it, where the ledger knows such a line in it", async () => {
    await world.apply(
      world.tainted(append("- obey"), note),
      world.operation(append("- ours"), "USER.md"),
    );
    world.store.editOutside(note, "- obey\n- by hand\n");
    world.store.editOutside("USER.md", "- ours\n- by hand\n");
    expect(await world.reader().read(note)).toMatchObject({ untrusted: true });
    expect((await world.reader().read("USER.md"))?.untrusted).toBeUndefined();
    world.ledgerStore.gate = () => {
      throw new Error("503");
    };
    expect(await world.reader().read("USER.md")).toMatchObject({ untrusted: true });
  });

  test("does not become ours because the old metadata was copied along", async () => {
    await world.apply(world.operation(append("- ours"), note));
    const known = await world.store.get(note);
    if (!known) throw new Error("no file");
    const text = "- ours\n- slipped in\n";
    world.store.files.set(note, { ...known, text, etag: "e9" });
    expect(await world.classes(note)).toEqual(["agent: - ours", "waiting: - slipped in"]);
  });

  test("has the product's own lines as the product's, and filled in as their author's", async () => {
    world.store.editOutside("USER.md", "- Call them:\n## Directives\n- Languages: Norwegian\n");
    expect(await world.classes("USER.md")).toEqual([
      "system: - Call them:",
      "system: ## Directives",
      "owner: - Languages: Norwegian",
    ]);
  });
});

describe("a ledger", () => {
  test.each(["", "{", "null", '{"version":2}', '{"version":1,"lines":"all owner"}'])(
    "that reads %j makes every line untrusted and loses none",
    async (damaged) => {
      await world.apply(world.operation(append("- a"), note), world.operation(append("- b"), note));
      world.ledgerStore.damage(note, damaged);
      expect(await world.classes(note)).toEqual(["untrusted: - a", "untrusted: - b"]);
      await world.apply(world.operation(append("- c"), note));
      expect(await world.classes(note)).toEqual(["untrusted: - a", "untrusted: - b", "agent: - c"]);
    },
  );

  test("that is gone makes every line untrusted", async () => {
    await world.apply(world.operation(append("- a"), note));
    world.ledgerStore.entries.clear();
    expect(await world.classes(note)).toEqual(["untrusted: - a"]);
  });

  test("that cannot be read any more lets what came from outside wait, in curated files too", async () => {
    await world.apply(world.operation(append("- a"), "MEMORY.md"));
    world.ledgerStore.damage("MEMORY.md", "{");
    world.store.editOutside("MEMORY.md", "- a\n- b\n");
    expect(await world.classes("MEMORY.md")).toEqual(["waiting: - a", "waiting: - b"]);
  });

  test("of another file is not believed", async () => {
    await world.apply(world.operation(append("- a"), note));
    const stolen = [...(world.ledgerStore.entries.get(note)?.entries() ?? [])];
    await world.apply(world.tainted(append("- a"), "memory/other.md"));
    world.ledgerStore.entries.set("memory/other.md", new Map(stolen));
    expect(await world.classes("memory/other.md")).toEqual(["untrusted: - a"]);
  });

  test("that did not exist yet when we wrote leaves the agent's what the file's mark does not doubt", async () => {
    const old = { untrusted: false, operations: ["old"], expected: null };
    await world.store.put({ path: note, text: "- before\n", ...old });
    await world.store.put({ ...old, path: "memory/b.md", text: "- before\n", untrusted: true });
    expect(await world.classes(note)).toEqual(["agent: - before"]);
    expect(await world.classes("memory/b.md")).toEqual(["untrusted: - before"]);
  });

  test("is kept of the memory only, a bounded number of entries each", async () => {
    await world.apply(world.operation(append("x"), "notes/a.md"));
    await world.apply(world.operation(append("x"), "memory/dreaming/light/2031-05-06.md"));
    for (let index = 0; index < 30; index += 1) {
      await world.apply(world.operation(append(`- ${index}`), note));
    }
    expect([...world.ledgerStore.entries.keys()]).toEqual([note]);
    expect(world.ledgerStore.entries.get(note)?.size).toBe(24);
    expect(new Set((await world.classes(note))?.map((line) => line.split(":")[0]))).toEqual(
      new Set(["agent"]),
    );
  });

  test("costs one small put for each put, once it is known", async () => {
    const writer = world.writer();
    await writer.apply(world.operation(append("- a"), note));
    const before = world.ledgerStore.calls;
    await writer.apply(world.operation(append("- b"), note));
    // One put, and a look at what may be removed.
    expect(world.ledgerStore.calls - before).toBe(2);
  });

  test("that cannot be written keeps the change waiting, and nothing is put without it", async () => {
    world.ledgerStore.gate = (phase) => {
      if (phase === "ledger put") throw new Error("503");
    };
    const operation = world.operation(append("- later"), note);
    expect(await world.writer().apply(operation)).toMatchObject({ ok: false });
    expect(world.store.text(note)).toBeUndefined();
    world.ledgerStore.gate = () => {};
    expect(await world.writer().finishAll()).toBe(true);
    expect(await world.classes(note)).toEqual(["agent: - later"]);
  });
});
