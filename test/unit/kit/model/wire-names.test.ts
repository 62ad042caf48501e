import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelMessage, ToolCall } from "#contract/model.ts";
import { freshCallIds, pairCalls, toolNames } from "#kit/model/wire-names.ts";

function call(id: string): ToolCall {
  return { type: "tool-call", id, name: "add", arguments: "{}" };
}

function results(...ids: string[]): ModelMessage {
  return {
    role: "tool",
    results: ids.map((id) => ({ callId: id, name: "add", text: id, isError: false })),
  };
}

describe("toolNames", () => {
  it("maps any names to distinct names for the wire, and back", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 })), (names) => {
        const mapping = toolNames(names);
        const wire = names.map((name) => mapping.toWire(name));
        expect(new Set(wire).size).toBe(names.length);
        for (const name of wire) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(wire.map((name) => mapping.fromWire(name))).toEqual(names);
      }),
    );
  });

  it("leaves good names alone and passes unknown ones on", () => {
    const mapping = toolNames(["memory_search"]);
    expect(mapping.toWire("memory_search")).toBe("memory_search");
    expect(mapping.toWire("gone.tool")).toBe("gone_tool");
    expect(mapping.fromWire("invented")).toBe("invented");
  });
});

describe("pairCalls", () => {
  it("keeps good ids and gives each call its result", () => {
    const asking: ModelMessage = { role: "assistant", content: [call("a"), call("b")] };
    const pairs = pairCalls([asking, results("b"), results("a")]);
    expect(pairs.get(asking)?.map(({ id, result }) => [id, result?.text])).toEqual([
      ["a", "a"],
      ["b", "b"],
    ]);
  });

  it("makes ids that a server repeats unique, and finds their own results", () => {
    const first: ModelMessage = { role: "assistant", content: [call("call_0")] };
    const second: ModelMessage = { role: "assistant", content: [call("call_0")] };
    const pairs = pairCalls([first, results("call_0"), second]);
    expect(pairs.get(first)).toMatchObject([{ id: "call_0", result: { text: "call_0" } }]);
    expect(pairs.get(second)).toMatchObject([{ id: "call_0_2", result: undefined }]);
  });
});

describe("freshCallIds", () => {
  it("keeps a new id and replaces a missing or used one", () => {
    let count = 0;
    const history: ModelMessage[] = [{ role: "assistant", content: [call("old")] }];
    const fresh = freshCallIds(history, () => `n${++count}`);
    expect([fresh("new"), fresh("old"), fresh("new"), fresh("")]).toEqual([
      "new",
      "old_n1",
      "new_n2",
      "call_n3",
    ]);
  });
});
