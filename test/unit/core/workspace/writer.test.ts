import { beforeEach, describe, expect, test } from "vitest";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

let world: WorkspaceWorld;
beforeEach(() => {
  world = new WorkspaceWorld();
});

describe("one operation", () => {
  test("creates a file and says so", async () => {
    const result = await world.writer().apply(world.append("tea"));
    const etag = world.store.files.get("notes/day.md")?.etag;
    expect(result).toEqual({ ok: true, created: true, size: 4, etag });
    expect(world.store.text("notes/day.md")).toBe("tea\n");
    expect(world.stored).toEqual(["notes/day.md"]);
  });

  test("happens once, however often it is asked for", async () => {
    const writer = world.writer();
    const operation = world.append("tea");
    const results = await Promise.all([writer.apply(operation), writer.apply(operation)]);
    const again = await world.writer().apply(operation);
    expect(world.store.text("notes/day.md")).toBe("tea\n");
    expect(results).toEqual([again, again]);
  });

  test("keeps what it overwrites", async () => {
    world.store.editOutside("notes/day.md", "first");
    await world.writer().apply(world.operation({ type: "write", text: "second" }));
    expect(world.store.kept.map((file) => file.text)).toEqual(["first"]);
  });

  test("puts nothing when nothing changes", async () => {
    world.store.editOutside("notes/day.md", "same");
    const result = await world.writer().apply(world.operation({ type: "write", text: "same" }));
    expect(result).toMatchObject({ ok: true, created: false });
    expect(world.store.putCount.size).toBe(0);
  });

  test.each([
    ["a path that climbs", "../x.md", "a"],
    ["a reserved folder", ".pagurus/versions/x", "a"],
    ["a path in another spelling", "./x.md", "a"],
    ["too much text", "x.md", "x".repeat(1_048_577)],
  ])("is refused for %s", async (_name, path, text) => {
    const result = await world.writer().apply(world.append(text, path));
    expect(result.ok).toBe(false);
    expect(world.log.pendingPaths()).toEqual([]);
  });

  test("is refused on a protected file when it is marked untrusted", async () => {
    const operation = { ...world.append("obey", "MEMORY.md"), untrusted: true };
    expect(await world.writer().apply(operation)).toMatchObject({ ok: false });
    expect(world.store.text("MEMORY.md")).toBeUndefined();
  });
});

describe("many operations", () => {
  test("on one file share a put, keep their order and respect one put per second", async () => {
    const writer = world.writer();
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map((line) => writer.apply(world.append(line))));
    expect(world.store.text("notes/day.md")?.trim().split("\n")).toEqual(lines);
    expect(world.store.putCount.get("notes/day.md")).toBeLessThanOrEqual(4);
  });

  test("that keep coming do not hold up the first", async () => {
    const writer = world.writer();
    const first = writer.apply(world.append("first"));
    let coming = true;
    world.store.gate = (phase) => {
      if (phase === "put done" && coming) void writer.apply(world.append("another"));
    };
    expect(await first).toMatchObject({ ok: true });
    coming = false;
    expect(await writer.finishAll()).toBe(true);
  });

  test("wait no longer for each other when the clock was set back in between", async () => {
    const writer = world.writer();
    await writer.apply(world.append("before"));
    world.time -= 3_600_000;
    const started = world.time;
    world.store.forgetRates();
    expect(await writer.apply(world.append("after"))).toMatchObject({ ok: true });
    expect(world.time - started).toBeLessThanOrEqual(1_050);
  });

  test("on several files do not wait for each other", async () => {
    const writer = world.writer();
    const started = world.time;
    const paths = ["a.md", "b.md", "c.md"];
    await Promise.all(paths.map((path) => writer.apply(world.append("x", path))));
    expect(world.time - started).toBeLessThan(1000);
  });

  // B54
  test("from two conversations and an editor outside never lose each other", async () => {
    const path = "MEMORY.md";
    world.store.editOutside(path, "- E1\n- E2\n- E3\n- E4\n- E5\n");
    const writer = world.writer();
    world.store.gate = (phase) => {
      if (phase !== "put") return;
      world.store.gate = () => {};
      world.store.editOutside(path, `${world.store.text(path)}- E8\n`);
    };
    const replace = { type: "replace", oldText: "- E2\n", newText: "- E2b\n", all: false } as const;
    const results = await Promise.all([
      writer.apply(world.append("- E6", path)),
      writer.apply(world.append("- E7", path)),
      writer.apply(world.operation(replace, path)),
    ]);
    expect(results.every((result) => result.ok)).toBe(true);
    const lines = world.store.text(path)?.trim().split("\n").toSorted();
    expect(lines).toEqual(["- E1", "- E2b", "- E3", "- E4", "- E5", "- E6", "- E7", "- E8"]);
  });

  test("give a whole-file write back when somebody else was faster", async () => {
    world.store.editOutside("plan.md", "mine");
    const crashed = world.store;
    crashed.gate = (phase) => {
      if (phase === "put") crashed.gate = () => {};
      if (phase === "put") crashed.editOutside("plan.md", "theirs");
    };
    const result = await world
      .writer()
      .apply(world.operation({ type: "write", text: "whole" }, "plan.md"));
    expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/Read it again/) });
    expect(world.store.text("plan.md")).toBe("theirs");
  });

  test("end for each by itself when one of them cannot be made", async () => {
    const writer = world.writer();
    const replace = { type: "replace", oldText: "absent", newText: "x", all: false } as const;
    const results = await Promise.all([
      writer.apply(world.append("a")),
      writer.apply(world.operation(replace)),
      writer.apply(world.append("b")),
    ]);
    expect(results.map((result) => result.ok)).toEqual([true, false, true]);
    expect(world.store.text("notes/day.md")).toBe("a\nb\n");
  });

  test("do not go on for ever when somebody writes all the time", async () => {
    let edits = 0;
    world.store.gate = (phase) => {
      if (phase === "put") world.store.editOutside("notes/day.md", `edit ${(edits += 1)}\n`);
    };
    const result = await world.writer().apply(world.append("mine"));
    expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/kept/) });
    world.store.gate = () => {};
    expect(await world.writer().finishAll()).toBe(true);
    expect(world.store.text("notes/day.md")).toBe(`edit ${edits}\nmine\n`);
  });
});

describe("storage that does not answer", () => {
  test("is asked again, and the change is made once", async () => {
    let failures = 2;
    world.store.gate = (phase) => {
      if (phase === "put" && failures-- > 0) throw new Error("put: internal error");
    };
    expect(await world.writer().apply(world.append("tea"))).toMatchObject({ ok: true });
    expect(world.store.text("notes/day.md")).toBe("tea\n");
  });

  test("does not make a change twice when only the answer was lost", async () => {
    world.store.gate = (phase) => {
      if (phase !== "put done") return;
      world.store.gate = () => {};
      throw new Error("network connection lost");
    };
    expect(await world.writer().apply(world.append("tea"))).toMatchObject({
      ok: true,
      created: true,
    });
    expect(world.store.text("notes/day.md")).toBe("tea\n");
  });

  test("keeps the change for later and shows it to readers", async () => {
    world.store.gate = (phase) => {
      if (phase === "put") throw new Error("down");
    };
    const operation = world.append("tea");
    const result = await world.writer().apply(operation);
    expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/do not repeat/) });
    const seen = await world.reader().read("notes/day.md");
    expect(seen).toMatchObject({ text: "tea\n", size: 4 });
    expect(await world.writer().finishAll()).toBe(false);
    world.store.gate = () => {};
    expect(await world.writer().finishAll()).toBe(true);
    expect(await world.writer().apply(operation)).toMatchObject({ ok: true });
    expect(world.store.text("notes/day.md")).toBe("tea\n");
  });
});

test("a file stays marked untrusted until it is written anew by a clean turn", async () => {
  const writer = world.writer();
  const reader = world.reader();
  await writer.apply({ ...world.append("from the web"), untrusted: true });
  expect(await reader.read("notes/day.md")).toMatchObject({ untrusted: true });
  await writer.apply(world.append("mine"));
  expect(await reader.read("notes/day.md")).toMatchObject({ untrusted: true });
  await writer.apply(world.operation({ type: "write", text: "all mine" }));
  expect(await reader.read("notes/day.md")).not.toHaveProperty("untrusted");
});
