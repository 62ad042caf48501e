import { describe, expect, test } from "vitest";
import type { CuratedFile, CuratedLine, NightEvidence } from "#contract/dreaming.ts";
import { DreamStore } from "#core/dreaming/dream-store.ts";
import { dreamStep, startNight, type DreamPorts } from "#core/dreaming/driver.ts";
import { textOf } from "#core/dreaming/memory-file.ts";
import { takenOutBy } from "#core/dreaming/taken-out.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import { MemoryDocuments } from "#test/doubles/documents.ts";
import { curated, line, recalls, today } from "./world.ts";

const asked = line("Please remember that I'm allergic to peanuts");
const dog = line("- 14:02 Ada's dog is called Bit and hates thunder", { trust: "agent" });
const evidence = { lines: [asked, dog], recalls: recalls(dog, 5) };

class Killed extends Error {}

/** An agent that can be killed before or after any of its effects. */
class World {
  readonly documents = new MemoryDocuments();
  readonly store = new DreamStore(this.documents);
  readonly files = new Map<string, string>();
  readonly done = new Set<string>();
  memory: CuratedLine[] = curated("# Memory\n");
  evidence: NightEvidence = evidence;
  now = Date.parse(today) + 97_200_000;
  asked = 0;
  effects = 0;
  killAt = Number.POSITIVE_INFINITY;
  failing: string | null = null;

  #effect(name: string): void {
    if (this.failing === name) throw new Error(`${name} does not answer`);
    this.effects += 1;
    if (this.effects === this.killAt) throw new Killed(`killed at ${name}`);
  }

  file(): CuratedFile {
    return { lines: this.memory, etag: lineHash(JSON.stringify(textOf(this.memory))) };
  }

  /** As the agent's writer: once per operation id, and only over the version that was read. */
  #once(id: string, work: () => void): void {
    this.#effect("before a write");
    if (!this.done.has(id)) work();
    this.done.add(id);
    this.#effect("after a write");
  }

  readonly ports: DreamPorts = {
    store: this.store,
    now: () => this.now,
    log: { info() {}, warn() {}, error() {} },
    evidence: async () => {
      this.#effect("evidence");
      return { evidence: this.evidence, file: this.file() };
    },
    sources: async () => {
      this.#effect("sources");
      return { evidence: this.evidence, file: this.file() };
    },
    ask: async () => {
      this.#effect("model");
      this.asked += 1;
      return null;
    },
    write: async (need) => {
      if (!this.done.has(need.operationId) && need.ifEtag !== this.file().etag) return this.file();
      this.#once(need.operationId, () => (this.memory = [...need.lines]));
      return null;
    },
    append: async ({ path, text, operationId }) => {
      this.#once(operationId, () => this.files.set(path, (this.files.get(path) ?? "") + text));
    },
  };

  start(runId = "run-1", mode: "night" | "manual" | "dry-run" = "night"): string {
    return startNight(this.ports, {
      runId,
      mode,
      today,
      budget: 12_000,
      model: true,
    });
  }

  /** Until nothing is left to do; a kill is a new start of the object over what is stored. */
  async run(): Promise<string[]> {
    const outcomes: string[] = [];
    for (let step = 0; step < 100; step += 1) {
      const outcome = await dreamStep(this.ports);
      outcomes.push(outcome);
      if (outcome === "done") return outcomes;
    }
    throw new Error("the night does not end");
  }

  left() {
    return { memory: textOf(this.memory), files: [...this.files], record: this.store.record() };
  }
}

async function wholeNight(): Promise<World> {
  const world = new World();
  world.start();
  await world.run();
  return world;
}

describe("carrying a night out", () => {
  test("it ends, and tells what it did", async () => {
    const world = await wholeNight();
    expect(textOf(world.memory)).toContain("allergic to peanuts");
    expect(world.store.night()).toBeNull();
    const [outcome] = world.store.outcomes();
    expect(outcome?.summary).toBe("Changed MEMORY.md: 2 added (by rule, without a model).");
    expect(outcome?.changes).toHaveLength(2);
    expect(world.store.images()).toHaveLength(1);
  });

  test("tried out it changes nothing, and tells what it would have seen", async () => {
    const world = new World();
    world.start("run-1", "dry-run");
    await world.run();
    expect(world.left()).toMatchObject({ memory: "# Memory\n", files: [] });
    const [tried] = world.store.outcomes();
    expect(tried?.summary).toMatch(/^Would change MEMORY\.md: 2 added/);
    const [done] = (await wholeNight()).store.outcomes();
    expect({ ...tried, summary: "", mode: "" }).toEqual({ ...done, summary: "", mode: "" });
  });

  test("interrupted at any effect it leaves what an undisturbed night leaves", async () => {
    const undisturbed = await wholeNight();
    const { effects } = undisturbed;
    expect(effects).toBeGreaterThan(8);
    for (let at = 1; at <= effects; at += 1) {
      const world = new World();
      world.killAt = at;
      world.start();
      await world.run();
      expect(world.left(), `killed at effect ${at}`).toEqual(undisturbed.left());
      expect(world.store.outcomes()).toHaveLength(1);
      expect(world.store.images()).toHaveLength(1);
    }
  });

  test("two starts are one night", async () => {
    const world = new World();
    expect(world.start("a")).toBe("a");
    expect(world.start("b")).toBe("a");
    await world.run();
    expect(world.store.outcomes().map(({ runId }) => runId)).toEqual(["a"]);
  });

  test.each(["evidence", "sources", "before a write"])(
    "a night whose %s keeps failing ends and has changed nothing, and the next one is whole",
    async (failing) => {
      const world = new World();
      world.failing = failing;
      world.start();
      expect((await world.run()).filter((outcome) => outcome === "failed")).toHaveLength(2);
      expect(textOf(world.memory)).toBe("# Memory\n");
      expect(world.store.outcomes()[0]?.summary).toMatch(/^Broke off/);
      world.failing = null;
      world.start("run-2");
      await world.run();
      expect(textOf(world.memory)).toContain("allergic to peanuts");
    },
  );

  test("what a night put away is not taken for taken out by hand, though it broke off after its write", async () => {
    const world = new World();
    world.memory = curated("My boat is called Ada");
    world.start();
    await world.run();
    const before = world.store.record();
    const [old] = world.memory;
    world.memory = world.memory.with(0, { text: "My boat is called Bea", trust: "owner" });
    world.now += 86_400_000;
    world.evidence = {
      lines: [
        ...evidence.lines,
        line("remember that the garage code is 4711", { day: "2026-05-11" }),
      ],
      recalls: [],
    };
    world.start("run-2");
    while (world.store.night()?.state.step !== "report") await dreamStep(world.ports);
    const { stated, statedAt } = world.store.record();
    expect(statedAt).toBe(world.now);
    expect(stated.map(({ text }) => text)).toContain("My boat is called Bea");
    expect(before.stated.map(({ text }) => text)).toContain(old?.text);
    const file = { lines: world.memory, etag: "1" };
    const earlier = [{ lines: curated("My boat is called Cleo"), at: world.now - 1 }];
    const gone = takenOutBy(world.store.record(), { file, earlier, now: world.now + 1 });
    expect(gone.map(({ text }) => text)).toEqual(["My boat is called Ada"]);
  });

  test("a night that had no room says so first", async () => {
    const world = new World();
    world.memory = curated("By hand. ".repeat(2_000));
    world.start();
    await world.run();
    expect(world.store.outcomes()[0]?.summary).toBe(
      "MEMORY.md was not changed. 2 facts found no room in it (12000 characters, 300 an entry).",
    );
  });

  test("a MEMORY.md of hundreds of kilobytes is put right night after night, a larger one is left alone", async () => {
    const world = new World();
    const home = (town: string) => line(`I live in ${town}`);
    const byHand = `${"手写".repeat(45)}\n`.repeat(1_000);
    const entry = `- Owner: I live in Oslo, in the old town behind the second church up the hill, near the sea, where all the boats of the fishermen lie in winter <!-- from: memory/2026-05-01.md#0123456789abcdef -->`;
    world.memory = curated(`${byHand}${entry}\n`);
    for (let index = 0; index < 10; index += 1) {
      world.evidence = { lines: [home(`${"ABCDEFGHIJ".charAt(index)}ville`)], recalls: [] };
      world.start(`run-${index}`, "manual");
      await world.run();
      expect(world.store.outcomes()[0]?.summary).toMatch(/^Changed MEMORY\.md: 1 superseded/);
      world.now += 86_400_000;
    }
    expect(world.store.images().length).toBeGreaterThan(1);
    world.memory = [...world.memory, ...curated(byHand)];
    world.start("run-large", "manual");
    await world.run();
    expect(world.store.outcomes()[0]?.summary).toMatch(/^Not dreamt: MEMORY\.md is too large/);
  });

  test("a night over a MEMORY.md that cannot be read says so, and does not try to write it", async () => {
    const world = new World();
    world.file = () => ({ lines: [], etag: "2-mb", unfit: "it is larger than 1 MB" });
    world.start();
    expect(await world.run()).not.toContain("failed");
    expect(world.store.outcomes()[0]?.summary).toMatch(/^Not dreamt: MEMORY\.md is no text/);
    expect(world.left()).toMatchObject({ files: [], record: { settled: [] } });
  });

  test("a stored night of an unknown shape is none", async () => {
    const world = new World();
    world.documents.put("dream.night", { state: { version: 9 } });
    expect(await dreamStep(world.ports)).toBe("done");
    world.start();
    await world.run();
    expect(textOf(world.memory)).toContain("allergic to peanuts");
  });
});
