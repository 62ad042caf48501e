import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AnswerPage } from "#cli/answer-page.ts";
import { TinyTerminal } from "./tiny-terminal.ts";

/** What a terminal shows of it: only the sequences the page uses. */
function shown(steps: (page: AnswerPage) => void): string {
  let screen = "";
  const page = new AnswerPage({ write: (text) => (screen += text) }, (mark) => `<${mark}>`);
  steps(page);
  return screen.replace(/[^\n]*\r\u001b\[K/g, "");
}

test("shows a mark until there is text", () => {
  expect(shown((page) => page.mark("…"))).toBe("<…>");
  const answered = shown((page) => {
    page.mark("…");
    page.write("hello ");
    page.write("there");
    page.end();
  });
  expect(answered).toBe("hello there\n");
});

test("puts a later mark on a line of its own and goes on below", () => {
  const steps = (page: AnswerPage) => {
    page.mark("…");
    page.write("half");
    page.mark("lost");
  };
  expect(shown(steps)).toBe("half\n<lost>");
  const resumed = shown((page) => {
    steps(page);
    page.write("whole");
    page.end();
  });
  expect(resumed).toBe("half\nwhole\n");
});

test("leaves nothing of an answer that has no text", () => {
  const silent = shown((page) => {
    page.mark("…");
    page.end();
  });
  expect(silent).toBe("");
});

test("adds no line to text that ends with one", () => {
  const ended = shown((page) => {
    page.write("list\n");
    page.end();
  });
  expect(ended).toBe("list\n");
});

describe("what is typed meanwhile", () => {
  const typed = (line: string, cursor = line.length) => ({ line, cursor });
  const open = (columns: number) => {
    const terminal = new TinyTerminal(columns);
    return { terminal, page: new AnswerPage(terminal, (mark) => mark) };
  };

  test("stands below the text, which goes on where it was", () => {
    const { terminal, page } = open(40);
    page.mark("…");
    page.type(typed("and"));
    expect(terminal.rows()).toEqual(["… › and"]);
    page.write("one two");
    expect(terminal.rows()).toEqual(["one two", "› and"]);
    page.write(" three\nfour");
    page.type(typed("and more", 3));
    expect(terminal.rows()).toEqual(["one two three", "four", "› and more"]);
    expect(terminal.cursor).toEqual({ row: 2, column: 5 });
    page.end();
    expect(terminal.rows()).toEqual(["one two three", "four"]);
    expect(terminal.cursor).toEqual({ row: 2, column: 0 });
  });

  test("takes one row, however long it is, and shows where the cursor is", () => {
    const { terminal, page } = open(20);
    page.write("text");
    page.type(typed("abcdefghijklmnopqrstuvwxyz"));
    expect(terminal.rows()).toHaveLength(2);
    expect(terminal.rows()[1]).toMatch(/^› \w+xyz$/);
    page.type(typed("abcdefghijklmnopqrstuvwxyz", 0));
    expect(terminal.rows()[1]).toMatch(/^› abc/);
    expect(terminal.cursor.column).toBe(2);
  });

  test("costs the same at the end of any line, however long", () => {
    const work = (length: number) => {
      const { page } = open(80);
      page.write("text");
      return segmented(() => page.type(typed("a".repeat(length))));
    };
    expect(work(2_000)).toBeGreaterThan(0);
    expect(work(4_000)).toBe(work(2_000));
  });

  test("leaves the text as it would be without it, whatever comes when", () => {
    const piece = fc.stringMatching(/^[a-z \n]{0,30}$/);
    const step = fc.oneof(
      fc.record({ write: piece }),
      fc.record({ type: fc.stringMatching(/^[a-z ]{0,40}$/) }),
    );
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 8, max: 30 }),
        (steps, n) => {
          const { terminal, page } = open(n);
          const plain = new TinyTerminal(n);
          for (const each of steps) {
            if ("write" in each) plain.write(each.write);
            if ("write" in each) page.write(each.write);
            else page.type(typed(each.type));
          }
          page.end();
          expect(terminal.rows()).toEqual(plain.rows());
        },
      ),
    );
  });
});

/** Characters in which letters are looked for: what costs time, the same on any machine. */
function segmented(act: () => void): number {
  let characters = 0;
  const owner = Intl.Segmenter.prototype;
  const original = Reflect.get(owner, "segment") as (text: string) => unknown;
  Reflect.set(owner, "segment", function (this: unknown, text: string) {
    characters += text.length;
    return Reflect.apply(original, this, [text]);
  });
  try {
    act();
  } finally {
    Reflect.set(owner, "segment", original);
  }
  return characters;
}
