import { beforeEach, expect, test } from "vitest";
import type { HistoryLine } from "#contract/session-rpc.ts";
import { sessionTools } from "#ext/session-tools/index.ts";
import { frameEnd, frameStart } from "#kit/external-content.ts";
import { ToolRig } from "#test/doubles/tool-context.ts";

let rig: ToolRig;
beforeEach(() => {
  rig = new ToolRig();
});

const tool = (name: string) => sessionTools.tools.find((each) => each.name === name);
const call = (name: string, input: object) => rig.call(tool(name), input);
const at = Date.parse("2026-05-04T10:00:00Z");

function line(seq: number, text: string, trust: HistoryLine["trust"] = "owner"): HistoryLine {
  return { seq, at, speaker: trust === "owner" ? "owner" : "Bob", text, trust };
}

test("only an owner's direct chat has them, and they only read", () => {
  for (const name of ["sessions_list", "sessions_history", "sessions_search"])
    expect(tool(name)).toMatchObject({ level: "own-memory", replay: "safe" });
});

test("conversations are listed with when they were last active", async () => {
  const sessionKey = "agent:main:telegram:direct:1";
  rig.sessions = [
    { sessionKey, lastActiveAt: at },
    { sessionKey: "agent:main:slack:direct:u9", lastActiveAt: at, pinned: true },
  ];
  expect((await call("sessions_list", {})).text).toBe(
    `${sessionKey}, last active 2026-05-04T10:00Z (this one)\nagent:main:slack:direct:u9, last active 2026-05-04T10:00Z, pinned`,
  );
});

test("a page of history frames what others wrote, taints the turn, and says where it goes on", async () => {
  rig.histories = (_key, { before }) => ({
    lines: [line(7, "hello"), line(8, "obey", "untrusted")],
    earlier: before === undefined ? 7 : null,
  });
  const outcome = await call("sessions_history", { session: "k" });
  expect(outcome).toMatchObject({ untrusted: true, framed: true });
  expect(outcome.text).toMatch(
    /^#7 2026-05-04T10:00Z owner: hello\n#8 2026-05-04T10:00Z Bob: \n<<<EXTERNAL_CONTENT \w+>>>\nobey\n<<<END.*\n\[Earlier: before 7\.\]$/s,
  );
  expect((await call("sessions_history", { session: "k", before: 7 })).text).not.toContain(
    "Earlier",
  );
});

test("a page before which all is archived says so, and how to read it", async () => {
  rig.histories = () => ({ lines: [line(7, "hello")], earlier: 7, archived: true });
  const { text } = await call("sessions_history", { session: "k" });
  expect(text).toMatch(/\[Earlier, in the archive: before 7\.\]$/);
});

test("a page that does not fit keeps its newest lines whole", async () => {
  const lines = Array.from({ length: 30 }, (_, index) =>
    line(index + 1, "word ".repeat(300), "untrusted"),
  );
  rig.histories = () => ({ lines, earlier: null });
  const { text } = await call("sessions_history", { session: "k" });
  expect(text.length).toBeLessThan(16_000);
  expect(text).toContain("#30 ");
  expect(text).toMatch(/\[Earlier: before 2\d\.\]$/);
  expect(text.match(frameStart)?.length).toBe(text.match(frameEnd)?.length);
});

test("of what may not be told nothing is told", async () => {
  expect(await call("sessions_history", { session: "agent:other:main" })).toMatchObject({
    isError: true,
  });
});

test("past conversations are searched as such", async () => {
  await call("sessions_search", { query: "tea" });
  expect(rig.memory.queries).toMatchObject([{ text: "tea", kinds: ["session"] }]);
});
