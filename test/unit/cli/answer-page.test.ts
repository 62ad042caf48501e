import { expect, test } from "vitest";
import { AnswerPage } from "#cli/answer-page.ts";

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
