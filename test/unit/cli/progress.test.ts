import { describe, expect, test } from "vitest";
import { Progress } from "#cli/progress.ts";

/** What a start shows of itself. */
function stage(isTTY: boolean) {
  const written: string[] = [];
  let now = 1_000;
  const screen = { write: (text: string) => written.push(text), isTTY, columns: 20 };
  const progress = new Progress({ screen, now: () => now, style: (text) => text });
  const pass = (ms: number) => (now += ms);
  return { progress, written, pass };
}

const clear = "\r\u001b[K";

describe("at a terminal", () => {
  test("is one line, rewritten with the seconds", () => {
    const { progress, written, pass } = stage(true);
    progress.step("Building");
    pass(1_200);
    progress.tick();
    expect(written).toEqual([`${clear}Building … 0 s`, `${clear}Building … 1 s`]);
  });

  test("gives way to other words, and comes back", () => {
    const { progress, written } = stage(true);
    progress.step("Building");
    progress.interject(() => written.push("oh\n"));
    expect(written.slice(1)).toEqual([clear, "oh\n", `${clear}Building … 0 s`]);
  });

  test("never grows over the line, and leaves nothing behind", () => {
    const { progress, written } = stage(true);
    progress.step("Something that takes a while");
    expect(written[0]?.slice(clear.length)).toHaveLength(19);
    progress.end();
    progress.tick();
    expect(written.slice(1)).toEqual([clear]);
  });
});

test("elsewhere it is a plain line for each step", () => {
  const { progress, written } = stage(false);
  progress.step("Loading");
  progress.tick();
  progress.step("Building");
  progress.interject(() => written.push("oh\n"));
  progress.end();
  expect(written).toEqual(["Loading …\n", "Building …\n", "oh\n"]);
});
