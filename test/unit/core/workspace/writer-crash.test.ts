import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { StorePhase } from "#test/doubles/workspace-store.ts";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

let world: WorkspaceWorld;
beforeEach(() => {
  world = new WorkspaceWorld();
});

describe("a crash", () => {
  const phases: StorePhase[] = ["get", "keep", "put", "put done"];

  test.each(phases)("at %j loses nothing and repeats nothing", async (phase) => {
    world.store.editOutside("notes/day.md", "start\n");
    const operation = world.append("tea");
    const crashed = world.crashAt(phase);
    void world.writer().apply(operation);
    await crashed;
    const result = await world.writer().apply(operation);
    expect(result).toMatchObject({ ok: true, size: 10, created: false });
    expect(world.store.text("notes/day.md")).toBe("start\ntea\n");
  });

  test("after the put, with an edit from outside on top, repeats nothing", async () => {
    const operation = world.append("a distinct line");
    const crashed = world.crashAt("put done");
    void world.writer().apply(operation);
    await crashed;
    world.store.editOutside("notes/day.md", `# Title\n${world.store.text("notes/day.md")}`);
    expect(await world.writer().apply(operation)).toMatchObject({ ok: true });
    expect(world.store.text("notes/day.md")).toBe("# Title\na distinct line\n");
  });

  test("after the put is recognised by the file's own record, whatever its text says", async () => {
    world.store.editOutside("notes/day.md", "tea\n");
    const doubling = { type: "replace", oldText: "tea", newText: "tea, tea", all: false } as const;
    const operation = world.operation(doubling);
    const crashed = world.crashAt("put done");
    void world.writer().apply(operation);
    await crashed;
    expect(await world.writer().apply(operation)).toMatchObject({ ok: true, size: 9 });
    expect(world.store.text("notes/day.md")).toBe("tea, tea\n");
  });

  test("after the put is made up for: who follows the files is told of it once", async () => {
    const operation = world.append("tea");
    const crashed = world.crashAt("put done");
    void world.writer().apply(operation);
    await crashed;
    expect([world.stored, world.arrived]).toEqual([[], []]);
    expect(await world.writer().finishAll()).toBe(true);
    await world.writer().apply(operation);
    expect([world.stored, world.arrived]).toEqual([[], ["notes/day.md"]]);
  });

  test("leaves a put under way that arrives late, and it counts", async () => {
    world.store.editOutside("notes/day.md", "start\n");
    const operation = world.append("tea");
    const arrives = Promise.withResolvers<void>();
    const landed = Promise.withResolvers<void>();
    const crashed = new Promise<void>((resolve) => {
      world.store.gate = (phase) => {
        if (phase !== "put") return;
        world.store.gate = () => {};
        resolve();
        return arrives.promise;
      };
    });
    void world.writer().apply(operation);
    await crashed;
    world.store.gate = (phase) => {
      if (phase !== "put") return;
      world.store.gate = (now) => {
        world.store.gate = () => {};
        if (now === "put done") landed.resolve();
        return new Promise(() => {});
      };
      arrives.resolve();
      return landed.promise;
    };
    expect(await world.writer().apply(operation)).toMatchObject({ ok: true });
    expect(world.store.text("notes/day.md")).toBe("start\ntea\n");
  });

  test("before a whole-file put, with an edit from outside meanwhile, gives it back", async () => {
    world.store.editOutside("plan.md", "old");
    const operation = world.operation({ type: "write", text: "whole" }, "plan.md");
    const crashed = world.crashAt("put");
    void world.writer().apply(operation);
    await crashed;
    world.store.editOutside("plan.md", "theirs");
    expect(await world.writer().apply(operation)).toMatchObject({ ok: false });
    expect(world.store.text("plan.md")).toBe("theirs");
  });

  test("anywhere, any number of times, leaves each append exactly once and in order", async () => {
    const plan = fc.record({
      lines: fc.integer({ min: 1, max: 12 }),
      crashes: fc.array(fc.constantFrom(...phases), { maxLength: 5 }),
      edits: fc.array(fc.boolean(), { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ lines, crashes, edits }) => {
        world = new WorkspaceWorld();
        const operations = Array.from({ length: lines }, (_, index) =>
          world.append(`<line ${index}>`),
        );
        for (const [index, phase] of crashes.entries()) {
          const crashed = world.crashAt(phase);
          const writer = world.writer();
          const applied = Promise.all(operations.map((operation) => writer.apply(operation)));
          await Promise.race([crashed, applied]);
          world.store.gate = () => {};
          world.time += 1_000;
          const text = world.store.text("notes/day.md") ?? "";
          if (edits[index]) world.store.editOutside("notes/day.md", `${text}outside ${index}\n`);
        }
        const last = world.writer();
        const results = await Promise.all(operations.map((operation) => last.apply(operation)));
        expect(results.every((result) => result.ok)).toBe(true);
        const written = world.store.text("notes/day.md")?.match(/<line \d+>/g);
        expect(written).toEqual(operations.map((_, index) => `<line ${index}>`));
        expect(world.log.results()).not.toContain(null);
      }),
    );
  });
});
