import { expect, test } from "vitest";
import type { TranscriptLine } from "#contract/memory.ts";
import { createTranscripts } from "#core/memory/transcripts.ts";
import { MemoryTranscriptStore } from "#test/doubles/transcript-store.ts";

/** Where several people write in one conversation (`session.dmScope: main`). */
const sessionKey = "agent:main:main";
const at = Date.UTC(2026, 4, 3, 12);
const day = "sessions/agent.main.main/2026-05-03";

function transcripts() {
  let time = at;
  return createTranscripts({
    store: new MemoryTranscriptStore(() => time),
    timeZone: "UTC",
    redact: (text) => text,
    now: () => time,
    sleep: async (ms) => void (time += ms),
    report: { info() {}, warn() {}, error() {} },
    onStored: () => {},
  });
}

function line(seq: number, text: string, trust: "owner" | "untrusted" = "owner"): TranscriptLine {
  return { id: `s1:${seq}`, role: "user", text, origin: { trust, session: sessionKey, at } };
}

const by = (identity: string, ...lines: TranscriptLine[]) => ({ sessionKey, identity, lines });
const wordsOf = (text: string | undefined) => text?.match(/\w+$/gm);

test("each finds what was said with them", async () => {
  const mine = transcripts();
  const batches = [
    by("ada", line(1, "one")),
    by("bob", line(2, "two")),
    by("ada", line(3, "three")),
  ];
  await Promise.all(batches.map((each) => mine.ingest(each)));
  for (const each of batches) await mine.ingest(each);
  const { sources } = await mine.list("");
  const files = await Promise.all(sources.map(({ path }) => mine.readClassified(path)));
  const told = files.map((file) => [file?.conversation?.identity, wordsOf(file?.text)]);
  expect(Object.fromEntries(told)).toEqual({ ada: ["one", "three"], bob: ["two"] });
});

test("an owner's lines stand where they would alone, whoever else has written before", async () => {
  const mine = transcripts();
  await mine.ingest(by("bob", line(1, "hello", "untrusted")));
  await mine.ingest(by("ada", line(2, "mine"), line(3, "forwarded", "untrusted")));
  await mine.ingest(by("bob", line(4, "again", "untrusted")));
  await mine.ingest(by("cleo", line(5, "ours")));
  const { sources } = await mine.list("");
  const files = await Promise.all(
    sources.map(async ({ path }) => [path, wordsOf((await mine.readClassified(path))?.text)]),
  );
  expect(Object.fromEntries(files)).toEqual({
    [`${day}.md`]: ["mine", "forwarded"],
    [`${day}-2.md`]: ["ours"],
    [`${day}-501.md`]: ["hello", "again"],
  });
});
