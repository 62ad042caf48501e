import { beforeEach, describe, expect, test } from "vitest";
import { lineHash } from "#core/memory/line-hash.ts";
import { createTranscripts } from "#core/memory/transcripts.ts";
import { forgetLines } from "#core/workspace/forget.ts";
import { createLedger } from "#core/workspace/ledger.ts";
import { MemoryTranscriptStore } from "#test/doubles/transcript-store.ts";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

const note = "memory/2031-05-06.md";
const bike = "my bike is red";
const at = Date.UTC(2031, 4, 6, 12);
const silent = { info() {}, warn() {}, error() {} };

let world: WorkspaceWorld;
let said: MemoryTranscriptStore;
let states: Map<string, string>;
beforeEach(() => {
  world = new WorkspaceWorld();
  said = new MemoryTranscriptStore(() => world.time);
  states = new Map();
  forgotten = [];
});

const append = (text: string, path: string) => world.operation({ type: "append", text }, path);

function transcripts() {
  return createTranscripts({
    store: said,
    timeZone: "UTC",
    redact: (text) => text,
    now: () => world.time,
    sleep: async (ms) => void (world.time += ms),
    report: silent,
    onStored: () => {},
  });
}

let forgotten: (readonly string[])[] = [];

/** To its end, in as many parts as it takes. */
async function forget(operationId = "forget-1", hashes = [lineHash(bike)], texts: string[] = []) {
  for (;;) {
    const report = await forgetPart(operationId, hashes, texts);
    if (!report.more) return report;
  }
}

function forgetPart(operationId: string, hashes: string[], texts: string[], onCall = () => {}) {
  const store = counting(world.store, onCall);
  const ledgerStore = counting(world.ledgerStore, onCall);
  return forgetLines(
    {
      store,
      ledgerStore,
      ledger: createLedger(ledgerStore, silent),
      reader: world.reader(),
      writer: world.writer(),
      transcripts: transcripts(),
      state: { get: (id) => states.get(id) ?? null, set: (id, text) => void states.set(id, text) },
      onForgotten: async (gone) => void forgotten.push(gone),
    },
    { operationId, hashes, texts },
  );
}

function counting<Store extends object>(store: Store, onCall: () => void): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        onCall();
        return Reflect.apply(value, target, given);
      };
    },
  });
}

/** Everything that is stored anywhere. */
function everything(): string {
  const ledgers = [...world.ledgerStore.entries.values()].flatMap((keys) => [...keys.values()]);
  return JSON.stringify([
    [...world.store.files.values()].map(({ text }) => text),
    world.store.kept.map(({ text }) => text),
    [...said.texts.values()].map(({ text }) => text),
    ledgers,
    [...states.values()],
  ]);
}

async function fill(): Promise<void> {
  const origin = { trust: "owner", at } as const;
  await world.apply(
    append(`- 14:03 preference:\n  > "${bike}"\n- 14:05 bought milk`, note),
    append("- 15:00 rain", note),
    append(`- ${bike} <!-- importance: 7 -->\n- Ada is my sister`, "MEMORY.md"),
    append(`- ${bike}`, "memory/dreaming/rem/2031-05-06.md"),
  );
  await transcripts().ingest({
    sessionKey: "agent:main:main",
    identity: "ada",
    lines: [
      { id: "s:1", role: "user", text: bike, origin },
      { id: "s:2", role: "user", text: "hello", origin },
    ],
  });
}

describe("forgetting", () => {
  test("takes a fact out of notes, lists, reports, transcripts, versions and the ledger", async () => {
    await fill();
    const report = await forget();
    expect(report).toEqual({
      removed: [
        { path: "MEMORY.md", lines: 1 },
        { path: "memory/2031-05-06.md", lines: 1 },
        { path: "memory/dreaming/rem/2031-05-06.md", lines: 1 },
        { path: "sessions/agent.main.main/2031-05-06.md", lines: 1 },
      ],
      versions: 4,
      refused: [],
    });
    expect(everything()).not.toContain("bike");
    for (const line of [`- ${bike}`, `  > "${bike}"`, bike]) {
      expect(everything()).not.toContain(lineHash(line));
    }
    expect(world.store.text(note)).toBe("- 14:05 bought milk\n- 15:00 rain\n");
    expect(await world.classes("MEMORY.md")).toEqual(["agent: - Ada is my sister"]);
  });

  test("is not held up by a file whose name no change may have, and tells of it", async () => {
    await fill();
    // As macOS writes it: an e and its accent, which is not how a path is spelt here.
    const odd = "memory/cafe\u0301.md";
    world.store.editOutside(odd, `- ${bike}`);
    const report = await forget();
    expect(report.refused).toEqual([odd]);
    expect(report.removed.map(({ path }) => path)).not.toContain(odd);
    expect(world.store.text("MEMORY.md")).not.toContain("bike");
    expect(await forget()).toMatchObject({ refused: [odd] });
  });

  test("takes a sentence out of a longer message, and leaves the rest of it", async () => {
    const origin = { trust: "owner", at } as const;
    const talk = { sessionKey: "agent:main:main", identity: "ada" };
    const text = `Hello. You know ${bike}, right? Buy milk.`;
    await transcripts().ingest({ ...talk, lines: [{ id: "s:1", role: "user", text, origin }] });
    const path = "sessions/agent.main.main/2031-05-06.md";
    const before = await transcripts().readClassified(path);
    world.time += 5_000;
    const report = await forget("forget-1", [lineHash(bike)], [bike]);
    expect(report.removed).toEqual([{ path, lines: 1 }]);
    const after = await transcripts().readClassified(path);
    expect(after?.text).toBe("[12:00] owner: Hello. [forgotten] Buy milk.");
    expect(after?.lines[0]?.origin).toEqual(origin);
    expect(forgotten).toEqual([[lineHash(before?.text ?? "")]]);
    world.time += 5_000;
    // The same message again is the same message: nothing of it comes back.
    await transcripts().ingest({ ...talk, lines: [{ id: "s:1", role: "user", text, origin }] });
    expect(everything()).not.toContain("bike");
  });

  test("takes whole lines out of what dreaming tells of its work", async () => {
    const reports = "memory/dreaming/deep/2031-05-06.md";
    const line = `- ${bike} (score 0.80: light 0.06; ${note}#0123456789abcdef): ready (asked)`;
    await world.apply(
      append(`Themes: bike (3), rain (2)\n\n${line}\n- rain (score 0.1)\n`, reports),
      append(`# 2031-05-06\n- added: ${bike} (was: it is blue)\n`, "DREAMS.md"),
    );
    await forget("forget-1", [lineHash(bike)], [bike]);
    expect(everything()).not.toContain("bike");
    expect(world.store.text(reports)).toBe("\n- rain (score 0.1)\n");
    expect(world.store.text("DREAMS.md")).toBe("# 2031-05-06\n");
  });

  test("cut off before it keeps what it overwrites, leaves none of it in what it then keeps", async () => {
    const report = "memory/dreaming/deep/2031-05-06.md";
    await world.apply(append(`- ${bike} (score 0.64): ready (asked)`, report));
    const crashed = world.crashAt("keep");
    void forget("forget-1", [lineHash(bike)], [bike]);
    await crashed;
    expect(await forget("forget-1", [lineHash(bike)], [bike])).toEqual({
      removed: [{ path: report, lines: 1 }],
      versions: 1,
      refused: [],
    });
    await world.writer().finishAll();
    expect(everything()).not.toContain("bike");
  });

  test("takes whole lines that say a fact among other things, out of notes, versions and the ledger", async () => {
    const long = `${"So we went on with the plans for the garden. ".repeat(10)}${bike}. Bye.`;
    await world.apply(
      append(`- 14:00 closing:\n  > "${long}"\n- 14:05 milk`, note),
      append(`- Bikes: ${bike}. It is new.\n- I am ill.\n- I am illiterate`, "MEMORY.md"),
      world.operation({ type: "write", text: "- anew\n" }, "MEMORY.md"),
    );
    const report = await forget("forget-1", [lineHash(bike)], [bike, "I am ill."]);
    expect(report).toMatchObject({ removed: [{ path: note, lines: 1 }], versions: 2 });
    expect(everything()).not.toContain("bike");
    for (const line of [`  > "${long}"`, `- Bikes: ${bike}. It is new.`, "- I am ill."]) {
      expect(everything()).not.toContain(lineHash(line));
    }
    expect(world.store.text(note)).toBe("- 14:05 milk\n");
    const [version] = world.store.kept.filter(({ path }) => path === "MEMORY.md");
    expect(version?.text).toBe("- I am illiterate\n");
  });

  test("needs no more calls at a time than a part may make, however many notes and versions there are", async () => {
    const paths = Array.from(
      { length: 60 },
      (_each, index) => `memory/2031-01-01-${100 + index}.md`,
    );
    for (const path of paths) {
      for (let change = 0; change < 12; change += 1)
        await world.apply(append(`- line ${change}`, path));
    }
    const last = paths.at(-1) ?? "";
    await world.apply(append(`- ${bike}`, last), append("- more", last));
    world.store.listed = 25;
    const calls: number[] = [];
    let more = true;
    while (more) {
      let made = 0;
      more = (await forgetPart("f", [lineHash(bike)], [bike], () => (made += 1))).more ?? false;
      calls.push(made);
    }
    expect(calls.length).toBeGreaterThan(3);
    expect(Math.max(...calls)).toBeLessThan(600);
    expect(everything()).not.toContain("bike");
    expect(await forgetPart("f", [lineHash(bike)], [bike])).toEqual({
      removed: [{ path: last, lines: 1 }],
      versions: 2,
      refused: [],
    });
  });

  test("says the same when it is asked again, and takes what came since only under a new id", async () => {
    await fill();
    const report = await forget();
    await world.apply(append(`- ${bike}`, note));
    expect(await forget()).toEqual(report);
    expect(world.store.text(note)).toContain("bike");
    expect((await forget("forget-2")).removed).toEqual([{ path: note, lines: 1 }]);
    expect(everything()).not.toContain("bike");
  });

  test.each([1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16])(
    "that is cut off at its effect no. %i goes on, and reports all of it",
    async (cut) => {
      await fill();
      let effects = 0;
      const count = (phase: string) => {
        if (!/put$|put done$|keep/.test(phase)) return;
        effects += 1;
        if (effects === cut) throw new Error("cut off");
      };
      world.store.gate = count;
      world.ledgerStore.gate = count;
      said.gate = count;
      await forget().catch(() => undefined);
      expect(effects).toBeGreaterThanOrEqual(cut);
      world.time += 5_000;
      const report = await forget();
      expect(report.removed.map(({ lines }) => lines)).toEqual([1, 1, 1, 1]);
      expect(everything()).not.toContain("bike");
    },
  );
});
