import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPasteJoiner } from "#cli/paste-joiner.ts";

let rest = "";
let sent: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  rest = "";
  sent = [];
});

afterEach(() => {
  vi.useRealTimers();
});

function joiner() {
  return createPasteJoiner({ rest: () => rest, submit: (text) => sent.push(text), quietMs: 30 });
}

describe("lines at the pace of a hand", () => {
  test("are messages of their own", () => {
    const paste = joiner();
    paste.push("one");
    vi.advanceTimersByTime(30);
    paste.push("two");
    vi.advanceTimersByTime(30);
    expect(sent).toEqual(["one", "two"]);
  });
});

describe("lines of a paste", () => {
  test("are one message", () => {
    const paste = joiner();
    for (const line of ["one", "", "three"]) paste.push(line);
    vi.advanceTimersByTime(30);
    expect(sent).toEqual(["one\n\nthree"]);
  });

  test("wait for Enter when the last one has none", () => {
    const paste = joiner();
    paste.push("one");
    rest = "two";
    vi.advanceTimersByTime(1_000);
    expect(sent).toEqual([]);
    rest = "";
    paste.push("two, edited");
    vi.advanceTimersByTime(30);
    expect(sent).toEqual(["one\ntwo, edited"]);
  });

  test("can be dropped while they wait", () => {
    const paste = joiner();
    expect(paste.drop()).toBe(false);
    paste.push("one");
    expect(paste.drop()).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(sent).toEqual([]);
  });
});
