import { describe, expect, test } from "vitest";
import { extensions } from "#ext/index.ts";
import { NotesDouble, PackedDouble } from "#test/doubles/packed-vectors.ts";
import { VectorizeDouble } from "#test/doubles/vectorize-binding.ts";
import { ports, registry } from "./plugged.ts";

/** Which embedder and which vector store there are, with the real extensions. */
const ai = { run: () => Promise.resolve({}) };
const asset = () => Promise.resolve(null);
const here = { extensions, ports: { ...ports, ai, asset } };
const deployed = { ...here, deployed: true };

const problems = (made: ReturnType<typeof registry>) =>
  made
    .problems()
    .filter(({ path }) => path === "EMBEDDER" || path === "memory.vectors")
    .map(({ path, message }) => `${path}: ${message}`);

describe("the embedder", () => {
  test.each([
    ["Workers AI when deployed", {}, deployed, "workers-ai/bge-m3"],
    ["word vectors when local", {}, here, "local/glove-lite"],
    [
      "word vectors without [ai]",
      {},
      { ...deployed, ports: { ...ports, asset } },
      "local/glove-lite",
    ],
    ["never one whose key is there for models", { OPENAI_API_KEY: "k" }, here, "local/glove-lite"],
    ["none where none can work", { OPENAI_API_KEY: "k" }, { extensions }, undefined],
  ])("is, unless one is named, %s", (_what, env, change, model) => {
    const made = registry(env, change);
    const choice = made.embedder();
    expect([choice.embedder?.model, choice.explicit, choice.note]).toEqual([
      model,
      false,
      undefined,
    ]);
    expect(problems(made)).toEqual([]);
  });

  test.each([
    ["local", {}, "local/glove-lite"],
    [" OpenAI ", { OPENAI_API_KEY: "k" }, "openai/text-embedding-3-small"],
    [
      "openai",
      { OPENAI_API_KEY: "k", OPENAI_EMBEDDING_MODEL: "text-embedding-3-large" },
      "openai/text-embedding-3-large",
    ],
    ["none", {}, undefined],
  ])("is %j if EMBEDDER says so", (name, env, model) => {
    const made = registry({ EMBEDDER: name, ...env }, deployed);
    expect(made.embedder()).toMatchObject({ explicit: true, note: undefined });
    expect(made.embedder().embedder?.model).toBe(model);
    expect(problems(made)).toEqual([]);
  });

  test.each([
    ["openai", {}, "openai does not work: set OPENAI_API_KEY in .dev.vars"],
    [
      "openai",
      { OPENAI_API_KEY: "k", OPENAI_EMBEDDING_MODEL: "nomic-embed-text" },
      "openai does not work: set OPENAI_EMBEDDING_DIMENSIONS",
    ],
    ["openai", { OPENAI_BASE_URL: "nonsense" }, "its settings are not valid"],
    ["workers-ai", {}, "workers-ai does not work: Workers AI only works when deployed"],
    ["opnai", {}, 'there is no embedder "opnai"; did you mean "openai"?'],
    ["zzz", {}, "it is one of workers-ai, local, openai, none"],
  ])("named %j that cannot work is a problem, not another one", (name, env, words) => {
    const made = registry({ EMBEDDER: name, ...env }, here);
    const { embedder, explicit, note } = made.embedder();
    expect([embedder, explicit]).toEqual([undefined, true]);
    expect(note).toContain(words);
    expect(problems(made)).toEqual([`EMBEDDER: ${note}; memory is searched by keywords only`]);
  });
});

describe("the vector store", () => {
  const bound = { ...here, ports: { ...here.ports, vectorize: new VectorizeDouble(100) } };
  const own = () => ({ namespace: "main", packed: new PackedDouble(), notes: new NotesDouble() });
  const chosen = (vectors: string, change: typeof here, env = {}) =>
    registry(env, { ...change, document: { memory: { vectors } } });

  test.each([
    ["auto", here, "embedded"],
    ["auto", bound, "vectorize"],
    ["embedded", bound, "embedded"],
    ["vectorize", bound, "vectorize"],
    ["none", bound, undefined],
  ])("is, with %j, what is there: %#", (vectors, change, id) => {
    const made = chosen(vectors, change);
    expect(made.vectorStoreId()).toBe(id);
    expect(made.vectorStore(own()) === undefined).toBe(id === undefined);
    expect(problems(made)).toEqual([]);
  });

  test("that is named and not there is a problem, and the next one takes its place", () => {
    const made = chosen("vectorize", here);
    expect(made.vectorStoreId()).toBe("embedded");
    expect(problems(made)).toEqual([
      "memory.vectors: wrangler.toml has no [[vectorize]] binding named VECTORIZE; embedded is used",
    ]);
  });

  test("is not there without an embedder", () => {
    const made = chosen("embedded", here, { EMBEDDER: "none" });
    expect(made.vectorStoreId()).toBeUndefined();
    expect(made.vectorStore(own())).toBeUndefined();
    expect(problems(made)).toEqual([]);
  });
});

test("two embedders or two vector stores of one id are a fault of the build", () => {
  for (const kind of ["embedder", "vector-store"] as const) {
    const [first] = extensions.filter((each) => each.kind === kind);
    expect(() => registry({}, { extensions: [first!, first!] })).toThrow(`two extensions: ${kind}`);
  }
});
