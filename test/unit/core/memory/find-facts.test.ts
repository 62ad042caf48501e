import { expect, test } from "vitest";
import type { MemoryRow } from "#contract/memory.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type { Trust } from "#contract/transcript.ts";
import { findFacts } from "#core/memory/find-facts.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import { whyKnown } from "#core/memory/why.ts";
import { tracesText } from "#kit/memory-traces.ts";

const at = Date.UTC(2031, 4, 6, 14, 3);
const session = "agent:main:telegram:direct:1";
const note = "memory/2031-05-06.md";
const said = "sessions/agent.main.main/2031-05-06.md";
const head = "- 14:03 Ada's dog is called Bit";

function file(path: string, lines: readonly (readonly [Trust, string])[]): ClassifiedFile {
  return {
    path,
    text: lines.map(([, text]) => text).join("\n"),
    etag: "e",
    modifiedAt: at,
    authorship: "ours",
    lines: lines.map(([trust, text]) => ({ text, origin: { trust, session, at } })),
  };
}

const files = [
  file("MEMORY.md", [
    ["owner", "- I like tea"],
    ["agent", `- The dog of Ada has the name Bit <!-- from: ${note}#${lineHash(head)} -->`],
    ["agent", "- Gone <!-- from: memory/2031-01-01.md#0123456789abcdef -->"],
  ]),
  file(note, [
    ["agent", head],
    ["owner", '  > "Remember that Ada\'s dog is called Bit"'],
    ["untrusted", "- 15:00 [from outside] the dog show is in June"],
    ["agent", "- 15:01 Bit rate of the camera: 8 Mbit"],
  ]),
  file(said, [["owner", "[14:03] owner: Hello! Ada's dog is called Bit. Please buy milk."]]),
];

/** Each file as one row if it has a word of the question. */
const ports = {
  async search(text: string): Promise<MemoryRow[]> {
    const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
    return files
      .filter((each) => words.some((word) => each.text.toLowerCase().includes(word)))
      .map(({ path, text: whole, lines }) => ({
        path,
        from: 1,
        to: lines.length,
        text: whole,
        score: 1,
        trust: "owner" as const,
        date: null,
      }));
  },
  read: async (path: string) => files.find((each) => each.path === path) ?? null,
};

test("facts are found by their words, one by one, with what was made from them and what says them", async () => {
  const { facts, more } = await findFacts(ports, "Ada's dog Bit");
  expect(facts).toEqual([
    { text: "The dog of Ada has the name Bit", where: ["MEMORY.md:2"] },
    { text: "Ada's dog is called Bit", where: [`${note}:1`, `${said}:1`] },
    { text: "Remember that Ada's dog is called Bit", where: [`${note}:2`] },
  ]);
  expect(more).toBe(false);
});

test("what an entry was made from comes with it, whatever words it has", async () => {
  const { facts } = await findFacts(ports, "The dog of Ada has the name");
  expect(facts.map(({ text }) => text)).toContain("Ada's dog is called Bit");
});

test("a word in common is not enough, and nothing near is nothing", async () => {
  expect((await findFacts(ports, "the bit rate of the camera")).facts).toEqual([
    { text: "Bit rate of the camera: 8 Mbit", where: [`${note}:4`] },
  ]);
  expect((await findFacts(ports, "my dog and my cat and my horse")).facts).toEqual([]);
});

test("an entry leads to its note, the owner's words, the conversation and the time", async () => {
  const [first] = await whyKnown(ports, "the dog of Ada has the name Bit");
  expect(first).toMatchObject({ path: "MEMORY.md", line: 2, trust: "agent" });
  expect(first?.from).toEqual([
    { path: note, line: 1, text: "Ada's dog is called Bit", trust: "agent", at, session },
    {
      path: note,
      line: 2,
      text: "Remember that Ada's dog is called Bit",
      trust: "owner",
      at,
      session,
    },
  ]);
  expect(tracesText([first!], "UTC")).toBe(
    [
      `- “The dog of Ada has the name Bit” (MEMORY.md:2; worded by the assistant, 2031-05-06 14:03, conversation ${session})`,
      `  ← “Ada's dog is called Bit” (${note}:1; worded by the assistant, 2031-05-06 14:03, conversation ${session})`,
      `  ← “Remember that Ada's dog is called Bit” (${note}:2; the owner's words, 2031-05-06 14:03, conversation ${session})`,
    ].join("\n"),
  );
});

test("a source that is gone is said to be gone, and text from outside to be from outside", async () => {
  const [entry] = await whyKnown(ports, "Gone");
  expect(tracesText([entry!])).toContain("← memory/2031-01-01.md (the line is not there any more)");
  const [outside] = await whyKnown(ports, "dog show in June");
  expect(tracesText([outside!])).toContain("from outside");
});
