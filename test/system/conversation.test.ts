import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { streamedText, type Chunk } from "#test/harness/api-side.ts";
import { Assistant } from "#test/harness/assistant.ts";
import { createLatch } from "#test/harness/latch.ts";
import type { TelegramPerson } from "#test/harness/telegram-side.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";

/**
 * What the model is given of calls and their results, whatever happened to them. The model server refuses
 * what the real API refuses, so an answer also proves that the request was valid.
 */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start({ reading: ["gauge", "meter", "scale"], acting: ["bell"] });
});

afterAll(async () => {
  expect(home.model.server.refusals).toEqual([]);
  await home.stop();
});
// B30
test("a message that comes while a tool runs neither ends the turn nor is lost", async () => {
  const ada = home.telegram.owner();
  const [first, second, answer] = [newWord(), newWord(), newWord()];
  const latch = createLatch();
  home.tools.on("bell", async () => {
    await latch.pass();
    return { body: "rung" };
  });
  let [open, most] = [0, 0];
  home.model.server.gate = ({ phase }) => {
    if (phase === "received") most = Math.max(most, ++open);
    if (phase === "replied") open -= 1;
  };
  home.model.when(first, { toolCalls: [{ name: "bell", arguments: { word: first } }] });
  home.model.when(second, { text: answer });
  await ada.say(first);
  await latch.reached;
  await ada.say(second);
  latch.open();
  await ada.hears(answer);
  home.model.server.gate = () => {};

  expect(most).toBe(1);
  expect(home.tools.uses("bell")).toEqual([{ word: first }]);
  expect(ada.sees).toEqual([answer]);
  expect(home.model.asked(second)).toHaveLength(1);
  const history = home.model.lastAsked(second);
  expect(history.flatMap((message) => message.toolResults).map(({ text }) => text)).toEqual([
    expect.stringContaining("rung"),
  ]);
});

// B31
test("of an answer that was stopped in the middle of a call only the words stay", async () => {
  const [user, first, again, last, began] = [newWord(), newWord(), newWord(), newWord(), newWord()];
  const latch = createLatch();
  home.model.when(first, {
    text: `${began} is what I know.`,
    chunks: 1,
    toolCalls: [{ id: `toolu_${first}`, name: "read", arguments: { path: "notes.md" } }],
    gate: (delta) => (delta > 3 ? latch.pass() : undefined),
  });
  const answer = home.api.live(first, { user });
  let seen = "";
  // Only what the reader has been shown is known to have arrived at the Worker.
  while (!seen.includes(began)) seen += streamedText([(await answer.next()).value as Chunk]);
  await latch.reached;
  expect((await home.api.chat("/stop", { user })).text).toContain("Stopped");
  latch.open();
  for await (const _rest of answer);
  expect((await home.api.chat(again, { user })).text).toBe("ok");
  home.model.when(last, { text: "done" });
  expect((await home.api.chat(last, { user })).text).toBe("done");

  const before = home.model.asked(again)[0]!;
  expect(JSON.stringify(before.body)).not.toContain(`toolu_${first}`);
  expect(before.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(before.messages[1]?.text).toBe(`${began} is what I know.`);
  const after = home.model.lastAsked(last);
  expect(after.slice(0, 3)).toEqual(before.messages);
});

// B32
test("calls that a kill cut off have their results before anything else is said", async () => {
  const ada = home.telegram.owner();
  const [first, next] = [newWord(), newWord()];
  const latch = createLatch();
  home.tools.on("bell", async (_input, n) => {
    if (n > home.tools.uses("bell").length - 1) await latch.pass();
    return { body: "rung" };
  });
  const ids = [`toolu_a${first}`, `toolu_b${first}`];
  const [firstId, secondId] = ids as [string, string];
  home.tools.on("gauge", () => ({ body: "seven" }));
  home.model.when(
    first,
    {
      toolCalls: [
        { id: firstId, name: "gauge", arguments: { word: first } },
        { id: secondId, name: "bell", arguments: { word: first } },
      ],
    },
    { text: "done" },
  );
  await ada.say(first);
  await latch.reached;
  await home.restart();
  latch.open();
  await ada.hears("done");
  home.model.when(next, { text: "and on" });
  await ada.say(next);
  await ada.hears("and on");

  const results = home.model.lastBlocks(next).find((blocks) => blocks[0]?.type === "tool_result");
  expect(results?.map((block) => block["tool_use_id"])).toEqual(ids);
  expect(results?.[0]?.["is_error"]).toBeUndefined();
  expect(results?.[1]).toMatchObject({ is_error: true });
  expect(JSON.stringify(results?.[1]?.["content"])).toMatch(/interrupted/i);
  expect(home.tools.uses("bell").filter((use) => JSON.stringify(use).includes(first))).toHaveLength(
    1,
  );
});

// B33
test("results of parallel calls go out in the order of the calls", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  const names = ["gauge", "meter", "scale"] as const;
  const done: string[] = [];
  const turns = { gauge: 1, meter: 2, scale: 0 };
  for (const name of names) {
    home.tools.on(name, async () => {
      await eventually(() => done.length >= turns[name]);
      done.push(name);
      return { body: `${name} says ${word}` };
    });
  }
  home.model.when(
    word,
    { toolCalls: names.map((name) => ({ id: `toolu_${name}`, name, arguments: {} })) },
    { text: "done" },
  );
  await ada.say(word);
  await ada.hears("done");
  expect(done).toEqual(["scale", "gauge", "meter"]);
  const [, , results, ...others] = home.model.lastBlocks(word);
  expect(others).toEqual([]);
  expect(results?.map(({ type }) => type)).toEqual(["tool_result", "tool_result", "tool_result"]);
  expect(results?.map((block) => block["tool_use_id"])).toEqual(
    names.map((name) => `toolu_${name}`),
  );
});

// B33
test("and at an OpenAI-type server as one message each, right behind the call", async () => {
  const ada = await atOther();
  const word = newWord();
  for (const name of ["gauge", "meter"]) home.tools.on(name, () => ({ body: `${name} ${word}` }));
  home.other.when(
    word,
    { toolCalls: ["gauge", "meter"].map((name) => ({ id: `c_${name}`, name, arguments: {} })) },
    { text: "done" },
  );
  await ada.say(word);
  await ada.hears("done");
  const messages = home.other.asked(word).at(-1)?.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool"]);
  expect(messages.slice(2).map(({ toolResults }) => toolResults[0]?.id)).toEqual([
    "c_gauge",
    "c_meter",
  ]);
});

/** An owner whose conversation runs on the OpenAI-type server. */
async function atOther(): Promise<TelegramPerson> {
  const ada = home.telegram.owner();
  await ada.say("/model openai/test-model");
  await ada.hears("Model: openai/test-model");
  return ada;
}

// B40
describe("calls of a stream", () => {
  const chunk = (delta: object) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
  const call = (args: string, name?: string) =>
    chunk({
      tool_calls: [
        {
          index: 0,
          ...(name && { id: "c3", type: "function" }),
          function: { ...(name && { name }), arguments: args },
        },
      ],
    });

  test("that ends without a finish reason still run", async () => {
    const ada = await atOther();
    const word = newWord();
    const frames = [call("{", "bell"), call('"word":'), call(`"${word}"}`), "data: [DONE]\n\n"];
    home.tools.on("bell", () => ({ body: `rung for ${word}` }));
    home.other.when(word, { rawSse: frames }, { text: `done ${word}` });
    await ada.say(word);
    await ada.hears(`done ${word}`);
    expect(home.tools.uses("bell")).toContainEqual({ word });
    const result = home.other.asked(word).at(-1)?.messages.at(-1);
    expect(result?.toolResults[0]?.text).toContain(`rung for ${word}`);
  });

  test("with arguments that are no JSON do not run, and the model is told", async () => {
    const ada = await atOther();
    const word = newWord();
    const frames = [call(`{"word":"${word}"}}`, "bell"), "data: [DONE]\n\n"];
    home.other.when(word, { rawSse: frames }, { text: `done ${word}` });
    await ada.say(word);
    await ada.hears(`done ${word}`);
    expect(JSON.stringify(home.tools.uses("bell"))).not.toContain(word);
    const result = home.other.asked(word).at(-1)?.messages.at(-1)?.toolResults[0];
    expect(result).toMatchObject({ isError: true });
    expect(result?.text).toContain("not valid JSON");
    await ada.say(newWord());
    await ada.hears("ok");
  });

  test("with arguments of the wrong kind do not run, and the field is named", async () => {
    const ada = home.telegram.owner();
    const word = newWord();
    home.model.when(
      word,
      { toolCalls: [{ name: "bell", arguments: { word: [word] } }] },
      { text: "done" },
    );
    await ada.say(word);
    await ada.hears("done");
    expect(JSON.stringify(home.tools.uses("bell"))).not.toContain(word);
    const result = home.model.asked(word).at(-1)?.messages.at(-1)?.toolResults[0];
    expect(result).toMatchObject({ isError: true });
    expect(result?.text).toContain("word");
  });
});
