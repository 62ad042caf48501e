import { describe, expect, test } from "vitest";
import { err, ok } from "#contract/result.ts";
import { statusText, type StatusFacts } from "#core/state/status-text.ts";
import { newWord } from "#test/harness/words.ts";

const facts: StatusFacts = {
  agentId: "main",
  model: ok({ name: "acme/x", levels: ["off", "low", "medium"] }),
  thinking: "off",
  queueMode: "steer",
  entries: 2,
  archivedParts: 0,
  pinned: null,
  history: { tokens: 900, limit: 32_000, leftOutTurns: 0 },
  running: "Running: nothing.",
  waiting: 0,
  mostWaiting: 100,
  openQuestions: 0,
  unsent: [],
  failure: undefined,
  usage: {
    calls: 1,
    input: 1000,
    cacheRead: 200,
    cacheWrite: 34,
    output: 56,
    cost: 0.5,
    unreported: 0,
  },
};

function linesOf(changes: Partial<StatusFacts>): string[] {
  return statusText({ ...facts, ...changes }).split("\n");
}

describe("a status", () => {
  test("has one fact a line", () => {
    expect(linesOf({})).toEqual([
      "Agent: main",
      "Model: acme/x",
      "Thinking: off.",
      "Messages sent while I work: they join the answer under way.",
      "Conversation: 2 entries.",
      "Context: the model gets about 900 tokens of it; beyond 32000 the oldest are left out.",
      "Running: nothing.",
      "Usage: 1 model call, 1234 tokens in, 56 out.",
      "Cost: $0.5000.",
    ]);
  });

  test("tells of tokens that were not reported, instead of counting them as none", () => {
    const usage = { ...facts.usage!, calls: 3, cost: null, unreported: 2 };
    const lines = linesOf({ usage });
    expect(lines).toContain("Usage: 3 model calls, at least 1234 tokens in, 56 out.");
    expect(lines).toContain("Not reported by the model's server: the tokens of 2 calls.");
    expect(lines).toContain("Cost: not known (not reported by the model's server).");
    const unlisted = linesOf({ usage: { ...usage, unreported: 0 } });
    expect(unlisted.join()).toContain("the price of a model used here is not listed");
    expect(unlisted.join()).not.toContain("reported");
  });

  test("tells what a model makes of a thinking level it does not have", () => {
    expect(linesOf({ thinking: "max" })).toContain(
      "Thinking: max. This model does not have that and gets medium.",
    );
    expect(linesOf({ thinking: "max", model: err(newWord()) })).toContain("Thinking: max.");
  });

  test("tells why no model answers", () => {
    const why = newWord();
    expect(linesOf({ model: err(why) })).toContain(`Model: ${why}`);
  });

  test("tells what cannot be sent, by channel", () => {
    const unsent = [
      { channel: "pigeon", count: 1 },
      { channel: "drum", count: 3 },
    ];
    const lines = linesOf({ unsent });
    expect(lines).toContain("Not sent: 1 message, until pigeon is set up again.");
    expect(lines).toContain("Not sent: 3 messages, until drum is set up again.");
  });

  test("tells what waits, what was asked and what failed, each by itself", () => {
    const failure = newWord();
    const lines = linesOf({ waiting: 1, openQuestions: 2, failure });
    expect(lines).toContain("Waiting: 1 message.");
    expect(lines).toContain("Not answered yet: 2 questions of mine.");
    expect(lines).toContain(`The last message was not answered: ${failure}`);
    expect(linesOf({ waiting: 100 })).toContain("Waiting: 100 messages or more.");
  });

  test("tells that older turns are left out", () => {
    const history = { tokens: 33_000, limit: 32_000, leftOutTurns: 1 };
    expect(linesOf({ history }).join("\n")).toMatch(/about 32000 tokens.*1 older turn left out/);
  });

  test("keeps what it cost to itself where others read along", () => {
    const text = linesOf({ usage: null }).join("\n");
    expect(text).toContain("ask me in a direct chat");
    expect(text).not.toMatch(/\$|tokens in/);
  });
});

test("says that what is older is archived, where it is", () => {
  expect(statusText(facts)).not.toContain("archived");
  expect(statusText({ ...facts, archivedParts: 2 })).toContain("archived in 2 parts");
});

test("says that nothing is archived, and how to end that, where it is pinned", () => {
  expect(statusText(facts)).not.toContain("inned");
  expect(statusText({ ...facts, pinned: "command" })).toContain("/pin off ends that");
  const configured = statusText({ ...facts, pinned: "configuration" });
  expect(configured).toContain("Pinned by the configuration");
  expect(configured).not.toContain("/pin off");
});
