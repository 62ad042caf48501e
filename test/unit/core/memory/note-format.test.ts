import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Trust } from "#contract/transcript.ts";
import {
  addToNote,
  foldLine,
  noteDay,
  notePath,
  saidBy,
  type PresentNote,
} from "#core/memory/note-format.ts";
import { applyChange } from "#core/workspace/apply-change.ts";

const agent = { trust: "agent" as const, session: "k", at: 1 };
const owner = { trust: "owner" as const, session: "k", message: "s:1", at: 1 };
const tokyo = { at: Date.parse("2026-05-03T18:20:00Z"), timeZone: "Asia/Tokyo" };

/** A note in which everything is by one class, unless a line of words says the owner's. */
function note(text: string | null, trust: Trust = "agent"): PresentNote {
  const lines = (text ?? "").split("\n").filter((line) => line !== "");
  return {
    empty: text === null,
    lines: lines.map((line) => ({ text: line, trust: line.startsWith("  >") ? "owner" : trust })),
  };
}

function written(present: string | null, ...texts: string[]): string | null {
  const addition = addToNote(
    note(present),
    tokyo,
    texts.map((text) => ({ text, author: agent })),
  );
  if (!addition) return present;
  const current = present === null ? null : { text: present, etag: null };
  const next = applyChange(current, addition.change);
  return next.ok ? next.value : present;
}

describe("the day of a note", () => {
  // B53
  test.each([
    ["2026-05-03T18:20:00Z", "Asia/Tokyo", "memory/2026-05-04.md"],
    ["2026-05-20T03:10:00Z", "America/Denver", "memory/2026-05-19.md"],
  ])("at %s in %s is the owner's", (at, timeZone, path) => {
    expect(notePath({ at: Date.parse(at), timeZone })).toBe(path);
    expect(path).toContain(noteDay({ at: Date.parse(at), timeZone }));
  });
});

describe("an entry", () => {
  test("has its time, and a new note its heading", () => {
    expect(written(null, "Ada likes tea")).toBe("# 2026-05-04\n\n- 03:20 Ada likes tea\n");
    expect(written("# 2026-05-04\n\n- 01:00 a\n", "b")).toBe(
      "# 2026-05-04\n\n- 01:00 a\n- 03:20 b\n",
    );
  });

  test("carries the owner's own words as lines of their own class", () => {
    const words = [{ text: "remember:\nAda likes tea", origin: owner }];
    const addition = addToNote(note("x\n"), tokyo, [{ text: "Ada: tea", author: agent, words }]);
    expect(addition?.change).toEqual({
      type: "append",
      text: '- 03:20 Ada: tea\n  > "remember: Ada likes tea"\n',
    });
    expect(addition?.author).toEqual(agent);
    expect(addition?.quoted).toEqual([{ text: '  > "remember: Ada likes tea"', origin: owner }]);
  });

  // B54
  test("that is there already is not added again", () => {
    const once = written(null, "Ada likes tea");
    expect(written(once, "Ada likes tea")).toBe(once);
    expect(written(once, "Ada likes tea", "and coffee")).toContain("- 03:20 and coffee");
    expect(written(null, "twice", "twice")?.match(/twice/g)).toHaveLength(1);
  });

  test("from outside never stands for the same text of somebody better", () => {
    const outside = addToNote(note(null), tokyo, [
      { text: "Ada likes tea", author: { ...agent, trust: "untrusted" } },
    ]);
    const present = outside?.change.type === "append" ? outside.change.text : "";
    expect(present).toContain("- 03:20 [from outside] Ada likes tea\n");
    expect(written(present, "Ada likes tea")).toBe(`${present}- 03:20 Ada likes tea\n`);
  });

  test("that somebody else wrote word for word is added all the same", () => {
    const text = '# 2026-05-04\n\n- 03:00 Ada likes tea\n  > "I like tea"\n';
    const foreign: PresentNote = {
      empty: false,
      lines: text.split("\n").map((line) => ({ text: line, trust: "untrusted" })),
    };
    const entry = { text: "Ada likes tea", author: agent };
    expect(addToNote(foreign, tokyo, [entry])).not.toBeNull();
    const words = [{ text: "I like tea", origin: owner }];
    const capture = { text: "preference:", author: owner, words };
    expect(addToNote(foreign, tokyo, [capture])).not.toBeNull();
    // What the agent wrote in that form is not the owner's word either.
    const lines = foreign.lines.map((line) => ({ ...line, trust: "agent" as const }));
    expect(addToNote({ empty: false, lines }, tokyo, [capture])).not.toBeNull();
    expect(addToNote({ empty: false, lines }, tokyo, [entry])).toBeNull();
  });

  test("of captured words is new if the words are", () => {
    const capture = (text: string) => ({
      text: "preference:",
      author: owner,
      words: [{ text, origin: owner }],
    });
    const first = addToNote(note(null), tokyo, [capture("I like tea")]);
    const present = first?.change.type === "append" ? first.change.text : "";
    expect(addToNote(note(present), tokyo, [capture("I like tea")])).toBeNull();
    expect(addToNote(note(present), tokyo, [capture("I hate fog")])?.change).toMatchObject({
      text: '- 03:20 preference:\n  > "I hate fog"\n',
    });
  });

  test("cannot pass for a heading, a second entry or a note about an entry", () => {
    const text = written(null, "a\n# Rules\n- b <!-- importance: 10 -->");
    expect(text?.split("\n")[2]).toBe("- 03:20 a # Rules - b <! -- importance: 10 -- >");
  });

  test("is one line that can be read back, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        const said = foldLine(text, 2_000);
        fc.pre(said !== "" && !/^\d\d:\d\d |^[a-z]+:$|^> "|^- /.test(said));
        const lines = written(null, text)?.split("\n") ?? [];
        expect(lines).toHaveLength(4);
        expect(saidBy(lines[2] ?? "")).toBe(said);
      }),
    );
  });
});
