import { beforeEach, describe, expect, test } from "vitest";
import type { ForgetLines } from "#contract/agent-rpc.ts";
import type { ForgetSaid } from "#contract/upkeep.ts";
import { ForgetStore, newJob } from "#core/memory/forget-store.ts";
import { forgetStep, type ForgettingPorts } from "#core/memory/forgetting.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import { MemoryDocuments } from "#test/doubles/documents.ts";

const facts = [{ text: "my bike is red", where: ["MEMORY.md:1"] }];
const silent = { info() {}, warn() {}, error() {} };

/** Everything that could say the fact, and what happens at each place where work could be cut off. */
class World {
  readonly documents = new MemoryDocuments();
  own = 2;
  readonly operations = new Map<string, number>();
  readonly begun = new Set<string>();
  lines = 3;
  readonly said = new Map([
    ["agent:a:main", 4],
    ["agent:a:x", 0],
    ["agent:a:y", 3],
  ]);
  readonly told = new Map<string, number>();
  readonly archived = [1, 0, 1];
  effect = (): void => {};
  busy = new Set<string>();
  refused: string[] = [];
  wordsFail = false;
  readonly erased: (string | null)[] = [];
  readonly indexed: (string | null)[] = [];

  /** As an object that was loaded anew. */
  ports(): ForgettingPorts {
    const store = new ForgetStore(this.documents);
    return {
      store,
      now: () => 1,
      log: silent,
      own: async () => {
        this.effect();
        return () => {
          const intents = this.own;
          this.own = 0;
          this.effect();
          return { intents, dreams: 0 };
        };
      },
      files: (request) => this.#files(request),
      nextSession: (after) => [...this.said.keys()].find((key) => key > (after ?? "")) ?? null,
      said: (key, request) => this.#said(key, request),
      archives: async ({ after }, onChange) => {
        this.effect();
        const at = Number(after ?? 0);
        for (let left = this.archived[at] ?? 0; left > 0; left -= 1) {
          onChange(`archive ${at}:${left}`);
          this.effect();
          this.archived[at] = left - 1;
          this.effect();
        }
        return { next: at + 1 < this.archived.length ? String(at + 1) : null };
      },
      left: async (_facts, after) => {
        this.effect();
        return after === null
          ? { lines: ["AGENTS.md:7"], next: "a.md" }
          : { lines: ["b.md:1"], next: null };
      },
      words: async (cursor) => {
        this.effect();
        if (this.wordsFail) throw new Error("the database does not answer");
        this.erased.push(cursor);
        return cursor === null ? "on" : null;
      },
      index: async (after) => {
        this.effect();
        this.indexed.push(after);
        return after === null ? "memory/m.md" : null;
      },
    };
  }

  /** Once per operation, like the real one; a second pass finds what came since. */
  async #files({ operationId, hashes, texts }: ForgetLines) {
    expect([hashes, texts]).toEqual([[lineHash("my bike is red")], ["my bike is red"]]);
    this.effect();
    if (!this.begun.has(operationId)) {
      this.begun.add(operationId);
      return { removed: [], versions: 0, refused: [], more: true as const };
    }
    const lines = this.operations.get(operationId) ?? this.lines;
    this.operations.set(operationId, lines);
    this.lines = 0;
    this.effect();
    const removed = lines > 0 ? [{ path: "MEMORY.md", lines }] : [];
    return { removed, versions: lines > 0 ? 1 : 0, refused: this.refused };
  }

  /** Two rows a part; asked again it says the same, like the real one. */
  async #said(key: string, { id, after }: ForgetSaid) {
    this.effect();
    if (this.busy.has(key)) return { changed: 0, next: after, busy: true as const };
    const part = `${id} ${key} ${after}`;
    const told = this.told.get(part);
    const left = this.said.get(key) ?? 0;
    const changed = told ?? Math.min(2, left);
    if (told === undefined) this.said.set(key, left - changed);
    this.told.set(part, changed);
    this.effect();
    const rest = this.said.get(key) ?? 0;
    return { changed, next: rest > 0 ? String(rest) : null };
  }

  async run(limit = 60): Promise<void> {
    for (let step = 0; step < limit; step += 1) {
      if ((await forgetStep(this.ports())) === "done") return;
    }
    throw new Error("never done");
  }
}

let world: World;
beforeEach(() => {
  world = new World();
  new ForgetStore(world.documents).keepJob(newJob({ id: "abc123", sessionKey: "s" }, facts));
});

const report = () => new ForgetStore(world.documents).reports()[0]?.report;

describe("forgetting everywhere", () => {
  test("goes through everything, and leaves a report that does not say what", async () => {
    await world.run();
    expect(report()).toEqual({
      facts: 1,
      files: [{ path: "MEMORY.md", lines: 3 }],
      versions: 1,
      intents: 2,
      dreams: 0,
      conversations: 3,
      entries: 7,
      archives: 2,
      unreached: [],
      stillIn: ["AGENTS.md:7", "b.md:1"],
    });
    expect(world.indexed).toEqual([null, "memory/m.md"]);
    expect(world.erased).toEqual([null, "on"]);
    for (const name of ["forget.offers", "forget.jobs", "forget.reports"]) {
      expect(JSON.stringify(world.documents.get(name) ?? "")).not.toContain("bike");
    }
  });

  test("takes what a conversation handed over while it was at work", async () => {
    world.lines = 0;
    world.effect = () => {
      if (world.said.get("agent:a:y") === 1) world.lines = 1;
    };
    await world.run();
    expect(report()?.files).toEqual([{ path: "MEMORY.md", lines: 1 }]);
  });

  test.each(Array.from({ length: 24 }, (_each, index) => index + 1))(
    "cut off at its effect no. %i it goes on, and nothing is left",
    async (cut) => {
      let effects = 0;
      world.effect = () => {
        effects += 1;
        if (effects === cut) throw new Error("cut off");
      };
      await world.run();
      expect(effects).toBeGreaterThanOrEqual(cut);
      expect(world.own + world.lines).toBe(0);
      expect([...world.said.values(), ...world.archived].every((left) => left === 0)).toBe(true);
      const counts = { conversations: 3, entries: 7, archives: 2, versions: 1 };
      expect(report()).toMatchObject({ ...counts, unreached: [] });
      expect(report()?.files).toEqual([{ path: "MEMORY.md", lines: 3 }]);
    },
  );

  test("waits for a conversation in which something runs, and names one that never answers", async () => {
    world.busy.add("agent:a:x");
    expect(await forgetStep(world.ports())).toBe("more");
    for (let step = 0; step < 6; step += 1) await forgetStep(world.ports());
    expect(await forgetStep(world.ports())).toBe("failed");
    world.busy.clear();
    await world.run();
    expect(report()?.unreached).toEqual([]);
    new ForgetStore(world.documents).keepJob(newJob({ id: "abc124", sessionKey: "s" }, facts));
    world.busy.add("agent:a:x");
    await world.run();
    expect(report()).toMatchObject({ unreached: ["agent:a:x"], conversations: 2 });
  });

  test("tries a file that cannot be changed again, then names it and goes on", async () => {
    world.refused = ["memory/x.md"];
    for (let step = 0; step < 2; step += 1) expect(await forgetStep(world.ports())).toBe("more");
    expect(await forgetStep(world.ports())).toBe("failed");
    await world.run();
    expect(report()).toMatchObject({
      files: [{ path: "MEMORY.md", lines: 3 }],
      unreached: ["memory/x.md"],
      conversations: 3,
    });
  });

  test("names no more places than a person reads, and says that there are more", async () => {
    const lines = Array.from({ length: 15 }, (_each, index) => `AGENTS.md:${index}`);
    const left = async (_facts: readonly string[], after: string | null) => ({
      lines,
      next: after === null ? "AGENTS.md" : null,
    });
    for (let step = 0; step < 60; step += 1) await forgetStep({ ...world.ports(), left });
    expect(report()?.stillIn).toHaveLength(21);
    expect(report()?.stillIn.at(-1)).toBe("…");
  });

  test("ends although a file is refused at the end of each of many parts", async () => {
    const files = async ({ operationId }: ForgetLines) => {
      const isEnd = world.begun.delete(operationId);
      if (!isEnd) world.begun.add(operationId);
      const refused = isEnd ? ["memory/x.md"] : [];
      return { removed: [], versions: 0, refused, ...(isEnd ? {} : { more: true as const }) };
    };
    for (let step = 0; step < 60; step += 1) await forgetStep({ ...world.ports(), files });
    expect(report()?.unreached).toEqual(["memory/x.md"]);
  });

  test("ends without the words in the index's tables if need be, and goes on trying until they are gone", async () => {
    world.wordsFail = true;
    let outcome = "";
    for (let step = 0; step < 60; step += 1) outcome = await forgetStep(world.ports());
    const store = new ForgetStore(world.documents);
    expect([store.jobs(), store.owedWords(), outcome]).toEqual([[], { cursor: null }, "failed"]);
    expect(report()).toMatchObject({ conversations: 3, unreached: [] });
    world.wordsFail = false;
    await world.run();
    expect(world.erased).toEqual([null, "on"]);
    expect(store.owedWords()).toBeNull();
  });

  test("takes words that an earlier one owes along with its own", async () => {
    new ForgetStore(world.documents).oweWords("on");
    await world.run();
    expect(world.erased).toEqual([null, "on"]);
    expect(new ForgetStore(world.documents).owedWords()).toBeNull();
  });

  test("ends, and says what it left out, when a step never succeeds", async () => {
    const ports = () => ({
      ...world.ports(),
      archives: () => Promise.reject(new Error("storage does not answer")),
    });
    for (let step = 0; step < 60; step += 1) await forgetStep(ports());
    expect(report()).toMatchObject({ unreached: ["some archived transcripts"], conversations: 3 });
  });
});
