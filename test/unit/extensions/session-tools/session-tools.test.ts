import { beforeEach, describe, expect, test } from "vitest";
import { sessionTools } from "#ext/session-tools/index.ts";
import { ToolRig } from "#test/doubles/tool-context.ts";

let rig: ToolRig;
beforeEach(() => {
  rig = new ToolRig();
});

const tool = (name: string) => sessionTools.tools.find((each) => each.name === name);
const call = (name: string, input: object, id?: string) => rig.call(tool(name), input, id);

test("only silence is for everybody", () => {
  const open = sessionTools.tools.filter(
    (each) => !["owner-only", "own-memory"].includes(each.level),
  );
  expect(open.map((each) => each.name)).toEqual(["stay_silent"]);
});

describe("message", () => {
  test("says something here, under the call's own id", async () => {
    expect(await call("message", { text: "On it." }, "t:1")).toEqual({ text: "Queued." });
    const message = { kind: "interim", text: "On it." };
    expect(rig.sent).toEqual([{ message, target: { here: true }, operationId: "t:1" }]);
  });

  test("takes its own session for here", async () => {
    await call("message", { text: "x", session: rig.context().sessionKey });
    expect(rig.sent[0]?.target).toEqual({ here: true });
  });

  test("reaches another conversation, but not with outside content in mind", async () => {
    const input = { text: "x", session: "agent:main:slack:group:c1" };
    await call("message", input);
    expect(rig.sent[0]?.target).toEqual({ sessionKey: input.session });
    rig.facts = { tainted: true };
    expect(await call("message", input)).toMatchObject({ isError: true });
    expect(await call("message", { text: "x" })).not.toHaveProperty("isError");
    expect(rig.sent).toHaveLength(2);
  });

  test("says why it could not be sent", async () => {
    rig.receipt = { ok: false, reason: "There is no such conversation." };
    expect(await call("message", { text: "x", session: "k" })).toEqual({
      text: "There is no such conversation.",
      isError: true,
    });
  });
});

test("session_status tells what the session says of itself", async () => {
  expect(await call("session_status", {})).toEqual({ text: "model demo/demo" });
});

test("stay_silent ends the turn without an answer", async () => {
  expect(await call("stay_silent", { reason: "thanks only" })).toMatchObject({ silence: true });
});
