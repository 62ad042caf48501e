import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createLocalEmbedder, localEmbedder } from "#ext/local-embedder/index.ts";
import { cosine, embed, patientPorts } from "#test/contract/embedder-rig.ts";
import { embedderSuite } from "#test/contract/embedder-suite.ts";

const asset = async (name: string) => new Uint8Array(await readFile(`assets/${name}`)).buffer;
const signal = new AbortController().signal;

embedderSuite({
  name: "local",
  start: async () => ({
    embedder: createLocalEmbedder({ asset }, {}),
    secrets: [],
    stop: () => Promise.resolve(),
  }),
});

describe("word vectors", () => {
  const embedder = createLocalEmbedder({ asset }, {});
  const near = async (one: string, other: string) => {
    const [left, right] = await embed(embedder, [one, other]);
    return cosine(left, right);
  };

  test.each([
    ["the dog needs a vet", "our puppy is ill", "the bank raised the interest rate"],
    [
      "what did we eat for dinner",
      "the meal was pasta with tomato sauce",
      "he repaired the engine",
    ],
    ["flight to the airport", "airplane tickets", "piano lessons"],
  ])("know that %j is nearer to %j than to %j", async (text, like, unlike) => {
    expect(await near(text, like)).toBeGreaterThan((await near(text, unlike)) + 0.1);
  });

  test("need no exact form: accents, case, endings and possessives", async () => {
    expect(await near("CAFÉ", "cafe")).toBeCloseTo(1, 5);
    expect(await near("the sailor’s lemons", "sailor lemon")).toBeCloseTo(1, 5);
    expect(await near("violins, canoes", "violin canoe")).toBeCloseTo(1, 5);
  });

  test.each(["日本語", "12345 !?", "the of and", "qqzzxx"])(
    "say nothing about %j",
    async (text) => {
      expect(await embed(embedder, [text])).toEqual([null]);
    },
  );

  test("do not let words that only build the sentence count", async () => {
    expect(await near("is there any lizard that you would have", "lizard")).toBeCloseTo(1, 5);
  });
});

describe("the table of words", () => {
  test("is read when it is needed, and once", async () => {
    const read: string[] = [];
    const memory = {};
    const counting = (name: string) => {
      read.push(name);
      return asset(name);
    };
    const first = createLocalEmbedder({ asset: counting }, memory);
    expect(read).toEqual([]);
    await embed(first, ["apple"]);
    await embed(first, ["river"]);
    await embed(createLocalEmbedder({ asset: counting }, memory), ["apple"]);
    expect(read).toHaveLength(2);
  });

  test.each([
    ["is missing", async () => null, "assets/ was not deployed"],
    ["cannot be read", () => Promise.reject(new Error("HTTP 500")), "HTTP 500"],
    ["is cut off", async () => new ArrayBuffer(50), "does not fit"],
    ["is damaged", async () => new ArrayBuffer(104), "is damaged"],
  ])("that %s is told, and tried again the next time", async (_name, broken, words) => {
    let healthy = false;
    const switching = (name: string) => (healthy ? asset(name) : broken());
    const embedder = createLocalEmbedder({ asset: switching }, {});
    expect(await embedder.embed(["apple"], "query", signal)).toEqual({
      ok: false,
      error: expect.stringContaining(words),
    });
    healthy = true;
    expect(await embed(embedder, ["apple"])).not.toEqual([null]);
  });

  test("that hangs does not hold up an abort", async () => {
    const stop = new AbortController();
    const embedder = createLocalEmbedder({ asset: () => new Promise(() => {}) }, {});
    const result = embedder.embed(["apple"], "query", stop.signal);
    stop.abort();
    expect(await result).toMatchObject({ ok: false });
  });

  test("needs the binding of files", () => {
    expect(localEmbedder.obstacle?.({ deployed: true, ports: patientPorts() })).toContain(
      "[assets]",
    );
    const ports = { ...patientPorts(), asset };
    expect(localEmbedder.obstacle?.({ deployed: false, ports })).toBeUndefined();
  });
});
