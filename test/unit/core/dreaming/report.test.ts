import { describe, expect, test } from "vitest";
import { diaryFromCode, diffLines } from "#core/dreaming/report.ts";
import { type DreamImage, keepImage, maxImages, undoTarget } from "#core/dreaming/undo.ts";

const change = (type: "added" | "merged" | "superseded" | "retired") => ({
  type,
  text: "x",
  replaced: [],
  sources: [],
});

test.each([
  [[], [], "A quiet night."],
  [["added"], [], "I kept one new thing."],
  [
    ["added", "added", "merged", "merged"],
    [],
    "I kept 2 new things. I put together 2 memories that belonged together.",
  ],
  [
    ["superseded", "retired"],
    ["y"],
    "I changed my mind about one thing that had become different. I let go of one old thing to make room. I found no room for one thing.",
  ],
] as const)("a night of %j with no room for %j: %s", (types, noRoom, diary) => {
  expect(diaryFromCode({ changes: types.map(change), noRoom: [...noRoom] })).toBe(diary);
});

test("a diff has what went and what came, and no text in it can close its fence", () => {
  expect(diffLines("a\nb\nc", "a\nB\nc")).toEqual(["```diff", "- b", "+ B", "```"]);
  expect(diffLines("a", "a\n````x")).toEqual(["`````diff", "+ ````x", "`````"]);
  expect(diffLines("a\na", "a")).toEqual(["```diff", "- a", "```"]);
  expect(diffLines("a", "a")).toEqual([]);
});

describe("undoing", () => {
  const image = (number: number): DreamImage => ({
    runId: `r${number}`,
    at: number,
    before: `v${number}`,
    afterHash: `h${number + 1}`,
  });
  const images = [1, 2, 3].map(image);

  test("takes back the night that left the file as it is, then the one before it", () => {
    expect(undoTarget(images, "h4")).toEqual({ type: "restore", image: images[2] });
    expect(undoTarget(images, "h3")).toEqual({ type: "restore", image: images[1] });
    expect(undoTarget(images, "h2", "r1")).toEqual({ type: "restore", image: images[0] });
  });

  test("says so when the file was edited since, or nothing is kept", () => {
    expect(undoTarget(images, "edited")).toEqual({ type: "changed-since", image: images[2] });
    expect(undoTarget(images, "h4", "r1")).toEqual({ type: "changed-since", image: images[0] });
    expect(undoTarget([], "h4")).toEqual({ type: "nothing-kept" });
    expect(undoTarget(images, "h4", "r9")).toEqual({ type: "nothing-kept" });
  });

  test("keeps eight versions, one per run", () => {
    let kept: DreamImage[] = [];
    for (let number = 1; number <= 12; number++)
      kept = keepImage(keepImage(kept, image(number)), image(number));
    expect(kept).toHaveLength(maxImages);
    expect(kept.map(({ at }) => at)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test("goes by the order of the nights, also after the clock was set back", () => {
    const ahead = [11, 12, 13, 14, 15, 16, 17, 18].map(image);
    const kept = keepImage(ahead, image(3));
    expect(undoTarget(kept, "h4")).toEqual({ type: "restore", image: image(3) });
    expect(undoTarget(kept, "edited")).toEqual({ type: "changed-since", image: image(3) });
  });
});
