import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faults } from "./delivery-faults.ts";
import { DeliveryWorld, type Fate, type Plan, type Words } from "./delivery-world.ts";

const fates: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fate>("sent") },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Fate[]>(
      "refused",
      "again",
      "again later",
      "breaks",
      "silence, arrived",
      "silence, lost",
      "killed, lost",
      "killed, arrived",
    ),
  },
);

const words: fc.Arbitrary<Words> = fc.record({
  kind: fc.constantFrom("final", "interim", "command", "notice"),
  turnId: fc.constantFrom("t1", "t2", null),
  conversation: fc.constantFrom("a", "b"),
  parts: fc.integer({ min: 1, max: 3 }),
  replaces: fc.boolean(),
  poison: fc.boolean(),
  round: fc.nat(3),
  delay: fc.nat(6),
});

const plans: fc.Arbitrary<Plan> = fc.record({
  words: fc.array(words, { minLength: 1, maxLength: 5 }),
  script: fc.array(fc.record({ fate: fates, before: fc.nat(3), after: fc.nat(3) }), {
    maxLength: 30,
  }),
  history: fc.constantFrom("none", "true", "unsure"),
  drains: fc.integer({ min: 1, max: 3 }),
  gone: fc.record({ from: fc.nat(4), rounds: fc.nat(6) }),
});

describe("whatever the platform answers, whenever the object is killed, however many drain at once", () => {
  test("nothing is said twice, overtaken or left, and each doubt is stored and told", async () => {
    const property = fc.asyncProperty(plans, async (plan) => {
      const world = new DeliveryWorld(plan);
      await world.live();
      expect(faults(world)).toEqual([]);
    });
    await fc.assert(property, { numRuns: 1_000 });
  });
});

const said = (change: Partial<Words>): Words => ({
  kind: "final",
  turnId: "t1",
  conversation: "a",
  parts: 1,
  replaces: false,
  poison: false,
  round: 0,
  delay: 0,
  ...change,
});

async function outcome(change: Partial<Plan>): Promise<DeliveryWorld> {
  const world = new DeliveryWorld({
    words: [said({ parts: 2 })],
    script: [],
    history: "none",
    drains: 2,
    gone: { from: 0, rounds: 0 },
    ...change,
  });
  await world.live();
  expect(faults(world)).toEqual([]);
  return world;
}

const once = (fate: Fate) => ({ fate, before: 1, after: 1 });
const statuses = ({ rows }: DeliveryWorld) => rows.map(({ key, status }) => `${key} ${status}`);

describe("what is said while the channel is not set up", () => {
  const gone = { from: 0, rounds: 3 };

  test("arrives once it is, in parts and in order", async () => {
    const world = await outcome({ words: [said({ parts: 2 }), said({ turnId: "t2" })], gone });
    expect(world.arrived).toEqual(["final:0:0", "final:0:1", "final:1:0"]);
  });

  test("and cannot be rendered then, is told of and holds up nothing", async () => {
    const words = [said({ poison: true }), said({ turnId: "t2" })];
    const world = await outcome({ words, gone });
    expect(world.arrived).toEqual(["final:1:0", expect.stringMatching(/^lost:/)]);
    expect(statuses(world)[0]).toBe("final:0:0 failed");
  });
});

describe("a message of two parts", () => {
  test("arrives in order, each part once", async () => {
    const world = await outcome({});
    expect(world.arrived).toEqual(["final:0:0", "final:0:1"]);
    expect(statuses(world)).toEqual(["final:0:0 sent", "final:0:1 sent"]);
  });

  test("is not sent again when the object was killed after the first one left, but told of", async () => {
    const world = await outcome({ script: [once("killed, arrived")] });
    expect(world.arrived).toEqual(["final:0:0", "final:0:1", "lost:1:0"]);
    expect(statuses(world)).toEqual(["final:0:0 unknown", "final:0:1 sent", "lost:1:0 sent"]);
  });

  test.each([
    ["killed, arrived", "final:0:0", "final:0:1"],
    ["killed, lost", "final:0:0", "final:0:1"],
  ] as const)("is whole after %s, where the platform can tell", async (fate, ...arrived) => {
    const world = await outcome({ script: [once(fate)], history: "true" });
    expect(world.arrived).toEqual(arrived);
    expect(statuses(world)).toEqual(["final:0:0 sent", "final:0:1 sent"]);
  });

  test("waits where it is told to, and no other conversation waits with it", async () => {
    const other = said({ conversation: "b", turnId: null, kind: "notice" });
    const script = [once("again later"), once("sent")];
    const world = await outcome({ words: [said({ parts: 2 }), other], script });
    expect(world.arrived).toEqual(["notice:1:0", "final:0:0", "final:0:1"]);
    expect(world.time).toBeGreaterThanOrEqual(1_045_000);
  });

  test("is given up after eight refusals to take it now, and told of", async () => {
    const script = Array.from({ length: 8 }, () => once("again"));
    const world = await outcome({ words: [said({})], script });
    expect(statuses(world)).toEqual(["final:0:0 failed", "lost:1:0 sent"]);
    expect(world.rows[0]).toMatchObject({ attempts: 8, error: "busy" });
  });
});
