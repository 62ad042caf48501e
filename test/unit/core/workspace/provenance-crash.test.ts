import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

let world: WorkspaceWorld;
beforeEach(() => {
  world = new WorkspaceWorld();
});

const note = "memory/2031-05-06.md";
const append = (text: string) => ({ type: "append", text }) as const;

describe("a crash", () => {
  const phases = [
    ["get"],
    ["ledger keys"],
    ["ledger read"],
    ["ledger put"],
    ["ledger put done"],
    ["keep"],
    ["put"],
    ["put done"],
  ] as const;

  test.each(phases)("at %j leaves every line with the class it has", async (phase) => {
    await world.apply(world.operation(append("- first"), note));
    world.store.editOutside(note, "- first\n- by hand\n");
    const operation = world.tainted(append("- second"), note);
    const crashed = world.crashAt(phase);
    void world.writer().apply(operation);
    await crashed;
    const half = await world.classes(note);
    expect(half?.slice(0, 2)).toEqual(["agent: - first", "waiting: - by hand"]);
    await world.apply(operation, world.operation(append("- third"), note));
    expect(await world.classes(note)).toEqual([
      "agent: - first",
      "waiting: - by hand",
      "untrusted: - second",
      "agent: - third",
    ]);
  });

  test("and an edit from outside at any place raise no line of a tainted turn", async () => {
    const places = phases.map(([phase]) => phase);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...places), fc.boolean(), fc.boolean()), {
          maxLength: 6,
        }),
        async (steps) => {
          world = new WorkspaceWorld();
          await world.apply(world.operation(append("- clean"), note));
          for (const [index, [phase, tainted, outside]] of steps.entries()) {
            const change = append(`- ${tainted ? "tainted" : "clean"} ${index}`);
            const operation = tainted ? world.tainted(change, note) : world.operation(change, note);
            const crashed = world.crashAt(phase);
            await Promise.race([crashed, world.writer().apply(operation)]);
            if (outside) {
              world.store.editOutside(note, `${world.store.text(note) ?? ""}- outside ${index}\n`);
            }
            world.time += 2_000;
            await world.writer().finishAll();
          }
          world.store.gate = () => {};
          world.ledgerStore.gate = () => {};
          await world.writer().finishAll();
          for (const line of (await world.classes(note)) ?? []) {
            const [trust, text = ""] = line.split(": - ");
            const allowed = text.startsWith("clean") ? ["agent"] : ["untrusted", "waiting"];
            expect([...allowed, "waiting"], line).toContain(trust);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
