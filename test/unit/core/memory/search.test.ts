import { describe, expect, test } from "vitest";
import { memoryKinds } from "#contract/memory.ts";
import { asksAboutNow, recencyFactor } from "#core/memory/recency.ts";
import { estimateTokens } from "#kit/tokens.ts";
import { EmbedderDouble, MemoryWorld, asker } from "#test/doubles/memory-world.ts";

const world = (files: Readonly<Record<string, string>>) => {
  const made = new MemoryWorld();
  for (const [path, text] of Object.entries(files)) made.files.write(path, text);
  return made;
};
const texts = (answer: { rows: readonly { text: string }[] }) =>
  answer.rows.map(({ text }) => text);

test("a row shows what stands around the best line, in at most 400 tokens", async () => {
  const filler = Array.from({ length: 60 }, (_, at) => `- line ${at} says this and that at length`);
  const lines = filler.with(30, "- the zebra came at noon");
  const { search } = world({ "memory/a.md": lines.join("\n") }).start();
  const [row] = (await search("zebra")).rows;
  expect(row?.text).toContain("the zebra came at noon");
  expect(row?.text.split("\n").length).toBeGreaterThan(5);
  expect(estimateTokens(row?.text ?? "")).toBeLessThanOrEqual(400);
  expect(row?.text).toBe(lines.slice((row?.from ?? 0) - 1, row?.to).join("\n"));
});

test("a row that begins inside a line says so, and no other", async () => {
  const sentence = `${"The weather is neither good nor bad ".repeat(15)}there. `;
  const pasted = `- ${sentence.repeat(4)}The zebra came at noon. ${sentence.repeat(4)}`;
  const made = world({ "memory/a.md": `${pasted}\n- the giraffe left\n- the gnu stayed` }).start();
  const midLine = async (text: string) => (await made.search(text)).rows[0]?.midLine;
  expect(await midLine("zebra")).toBe(true);
  expect(await midLine("giraffe gnu")).toBe(true);
  const short = world({ "memory/a.md": "- one\n- the giraffe left\n- two" }).start();
  expect((await short.search("giraffe")).rows).toMatchObject([{ from: 1 }]);
  expect((await short.search("giraffe")).rows[0]).not.toHaveProperty("midLine");
  const around = Array.from({ length: 60 }, (_, at) => `- line ${at} says this and that`);
  const many = world({ "memory/a.md": around.with(30, "- the zebra").join("\n") }).start();
  expect((await many.search("zebra")).rows[0]?.from).toBeGreaterThan(1);
  expect((await many.search("zebra")).rows[0]).not.toHaveProperty("midLine");
});

test("a row is as little trusted as the least trusted line in it", async () => {
  const made = new MemoryWorld();
  made.files.put("memory/a.md", [
    ["owner", "- zebra"],
    ["agent", "- next"],
  ]);
  expect((await made.start().search("zebra")).rows[0]?.trust).toBe("agent");
});

test("copies of a line are shown once", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 5 }, (_, at) => [
      `memory/2026-05-0${at + 1}.md`,
      "- the zebra came at noon",
    ]),
  );
  const { search } = world({ ...files, "memory/b.md": "- a zebra is an animal" }).start();
  expect(texts(await search("zebra")).toSorted()).toEqual([
    "- a zebra is an animal",
    "- the zebra came at noon",
  ]);
});

test("a file that the question names comes first", async () => {
  const { search } = world({
    "memory/boat.md": "- varnish in spring",
    "memory/2026-05-03.md": "- what does the boat say about zebras in spring",
  }).start();
  const named = await search("what does boat.md say about zebras?");
  expect(named.rows[0]).toMatchObject({ path: "memory/boat.md", score: 1 });
  expect(named.rows[1]?.path).toBe("memory/2026-05-03.md");
});

test("what is important counts more, what is superseded less, an active project more", async () => {
  const { search } = world({
    "memory/a.md": "- zebra first",
    "memory/b.md": "- zebra second <!-- importance: 10 -->",
    "memory/c.md": "- zebra third <!-- status: superseded -->",
    "memory/d.md": "- zebra fourth <!-- project: boat -->",
  }).start();
  expect(texts(await search("zebra"))[0]).toBe("- zebra second");
  expect(texts(await search("zebra", { projects: ["boat"] })).slice(0, 2)).toEqual([
    "- zebra second",
    "- zebra fourth",
  ]);
  expect(texts(await search("zebra", { minScore: 0 })).at(-1)).toBe("- zebra third");
});

test("an old note is buried only by a question about now", async () => {
  expect(asksAboutNow("what did I eat recently?")).toBe(true);
  expect(asksAboutNow("最近怎么样")).toBe(true);
  expect(asksAboutNow("what did I eat in Rome?")).toBe(false);
  expect(recencyFactor("2020-01-01", "2026-05-04", false)).toBeGreaterThan(0.94);
  expect(recencyFactor("2020-01-01", "2026-05-04", true)).toBeLessThan(0.5);
  expect(recencyFactor("2026-05-04", "2026-05-04", true)).toBe(1);
  expect(recencyFactor("2027-01-01", "2026-05-04", true)).toBe(1);
  expect(recencyFactor(null, "2026-05-04", true)).toBe(1);
  expect(recencyFactor("9999-99-99", "2026-05-04", true)).toBe(1);
});

test("sessions are found and read by the one they were with only", async () => {
  const made = new MemoryWorld();
  const path = "sessions/k/2026-05-03.md";
  const conversation = { sessionKey: "k", identity: "ada" };
  made.files.put(path, [["owner", "[10:00] owner: zebra"]], { conversation });
  const { search, service } = made.start();
  const ada = { ...asker, identity: "ada" };
  expect((await search("zebra", { asker: ada })).rows).toHaveLength(1);
  expect((await search("zebra", { asker: { ...asker, identity: "eve" } })).rows).toEqual([]);
  expect((await search("zebra")).rows).toEqual([]);
  expect((await search("zebra", { asker: ada, kinds: ["note"] })).rows).toEqual([]);
  expect(await service.read({ path, asker })).toBeNull();
  expect(await service.read({ path, asker: ada })).toMatchObject({ total: 1 });
});

describe("one's recalls", () => {
  test("count once per passage, question and day, and only where the asker says so", async () => {
    const made = world({ "MEMORY.md": "- Bit is the dog", "memory/a.md": "- a zebra" });
    const { search } = made.start();
    await search("dog", { asker: { ...asker, counts: false } });
    await made.settled();
    expect(made.index.recalls).toEqual([]);
    await search("dog");
    await search("the dog?");
    await made.settled();
    expect(made.index.recalls).toHaveLength(1);
    expect(made.index.recalls[0]).toMatchObject({ path: "MEMORY.md", rank: 1, day: "2026-05-04" });
    made.time += 86_400_000;
    await search("dog");
    await search("name of the dog");
    await made.settled();
    expect(made.index.recalls).toHaveLength(3);
  });

  test("that cannot be stored cost no search", async () => {
    const made = world({ "MEMORY.md": "- Bit is the dog" });
    made.index.addRecalls = () => Promise.reject(new Error("down"));
    expect((await made.start().search("dog")).rows).toHaveLength(1);
    await made.settled();
  });
});

test("hybrid finds what shares no word with the question", async () => {
  const made = world({ "memory/a.md": "- alpha", "memory/b.md": "- beta" });
  const embedder = new EmbedderDouble("fake/four", 4);
  const one = embedder.embed.bind(embedder);
  embedder.embed = (list) => one(list.map((text) => text.replace("gamma", "beta")));
  const answer = await made.start(embedder).search("gamma");
  expect(answer.mode).toBe("hybrid");
  expect(texts(answer)).toEqual(["- beta"]);
});

test.each([
  ["no number for a limit", { limit: Number.NaN }, 1],
  ["no number for the least score", { minScore: Number.NaN }, 1],
  ["a limit of nothing", { limit: 0 }, 1],
  ["a limit below nothing", { limit: -1 }, 1],
  ["a limit of a billion", { limit: 1e9 }, 1],
  ["an endless limit", { limit: Number.POSITIVE_INFINITY }, 1],
])("%s is no error and finds what there is", async (_name, options, rows) => {
  const { search } = world({ "MEMORY.md": "- Bit is the dog" }).start();
  expect((await search("dog", options)).rows).toHaveLength(rows);
});

// What is too slow here runs into the limit of the test.
test("what was pasted behind a question costs no time", async () => {
  const outside = Array.from(
    { length: 200 },
    (_one, index) => `- the dog barks at number ${index}`,
  );
  const { search } = world({
    "MEMORY.md": "- Bit is the dog",
    "memory/x.md": outside.join("\n"),
  }).start();
  const { rows } = await search(
    `which dog is it? ${"a".repeat(300_000)} ${"dog mail ".repeat(30_000)}`,
  );
  expect(rows[0]?.text).toContain("dog");
});

test("a question without a word to look for finds nothing, and is no error", async () => {
  const { search } = world({ "MEMORY.md": "- Bit is the dog" }).start();
  for (const text of ["", "?!", "()", "what is that", "AND"]) {
    expect((await search(text)).rows).toEqual([]);
  }
});

test("lines are read as they stand, with the lowest class among them", async () => {
  const made = new MemoryWorld();
  made.files.put("memory/a.md", [
    ["owner", "one"],
    ["untrusted", ""],
    ["agent", "two <!-- key: x -->"],
    ["untrusted", "three"],
  ]);
  const { service } = made.start();
  const read = (from: number, lines: number) =>
    service.read({ path: "memory/a.md", from, lines, asker });
  expect(await read(1, 3)).toEqual({
    path: "memory/a.md",
    from: 1,
    to: 3,
    total: 4,
    trust: "agent",
    text: "one\n\ntwo <!-- key: x -->",
  });
  expect((await read(4, 50))?.trust).toBe("untrusted");
  expect(await read(99, 1)).toMatchObject({ from: 4, to: 4 });
  expect(await service.read({ path: "SOUL.md", asker })).toBeNull();
  expect(await service.read({ path: "memory/none.md", asker })).toBeNull();
  expect(memoryKinds).toContain("session");
});

test("the newest lines are the last ones, whatever stands between them from outside", async () => {
  const made = new MemoryWorld();
  made.files.put("memory/a.md", [
    ["owner", "one"],
    ["owner", "two"],
    ["untrusted", "theirs"],
    ["agent", "three"],
    ["untrusted", "theirs too"],
  ]);
  const { service } = made.start();
  const place = { path: "memory/a.md", lines: 2, newest: true, asker };
  expect((await service.read({ ...place, trustedOnly: true }))?.text).toBe("two\nthree");
  expect(await service.read(place)).toMatchObject({ text: "three\ntheirs too", from: 4, to: 5 });
});

test("what is only a little like the question is not shown when no word of it is there", async () => {
  const made = world({ "memory/a.md": "- alpha one two three four five six seven eight" });
  const embedder = new EmbedderDouble("fake/many", 64);
  const { search } = made.start(embedder);
  const text = "one gamma delta epsilon zeta omega kappa lambda";
  expect(texts(await search(text))).toHaveLength(1);
  made.files.write("memory/a.md", "- alpha uno two three four five six seven eight");
  const again = made.start(embedder);
  await again.keeper.compare(0);
  expect(texts(await again.search(text))).toEqual([]);
});

test("where no word occurs, words that begin alike are found", async () => {
  const { search } = world({ "memory/2026-05-03.md": "- I am allergic to peanuts" }).start();
  expect(texts(await search("do I have any food allergies?"))).toEqual([
    "- I am allergic to peanuts",
  ]);
  expect(texts(await search("what about cars"))).toEqual([]);
});
