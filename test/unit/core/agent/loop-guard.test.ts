import { describe, expect, it } from "vitest";
import type { JournalRow } from "#contract/turn.ts";
import { judgeLoop } from "#core/agent/loop-guard.ts";

function call(name: string, input: string, text: string): JournalRow {
  return {
    turnId: "t",
    step: 1,
    position: 1,
    kind: "tool",
    status: "done",
    version: 1,
    callId: "c",
    name,
    input,
    output: { text, isError: false },
  };
}

const same = (times: number) => Array.from({ length: times }, () => call("ls", "{}", "a.md"));

describe("judgeLoop", () => {
  it("warns at the third and stops at the fifth repetition of a call with its result", () => {
    const verdicts = [1, 2, 3, 4, 5].map((times) => judgeLoop(same(times)));
    expect(verdicts).toEqual(["fine", "fine", "warn", "warn", "stop"]);
  });

  it("sees two calls that alternate", () => {
    const pair = [call("read", '{"path":"a"}', "A"), call("read", '{"path":"b"}', "B")];
    expect(judgeLoop([...pair, ...pair, ...pair])).toBe("warn");
    expect(judgeLoop([...pair, ...pair, ...pair, ...pair, ...pair])).toBe("stop");
  });

  it("counts a call anew when its result changes", () => {
    const rows = Array.from({ length: 9 }, (_, index) => call("status", "{}", `${index}`));
    expect(judgeLoop(rows)).toBe("fine");
  });

  it("counts only what stands at the end", () => {
    expect(judgeLoop([...same(4), call("read", "{}", "x")])).toBe("fine");
    expect(judgeLoop([])).toBe("fine");
  });
});
