import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ask, finished, passages, request, run, says, today, tools } from "./demo-rig.ts";

const nothingSaid =
  "My notes say nothing about that (`USER.md`, `MEMORY.md`, `memory`), and a demo knows nothing else.";

describe("asked for something", () => {
  test.each([
    [
      "remember my sister likes tulips",
      "memory_write",
      { text: "my sister likes tulips", target: "note" },
    ],
    [
      "Please remember that the boat is blue.",
      "memory_write",
      { text: "the boat is blue.", target: "note" },
    ],
    ["记住 妹妹喜欢郁金香", "memory_write", { text: "妹妹喜欢郁金香", target: "note" }],
    ["请帮我记住：车位是B12", "memory_write", { text: "车位是B12", target: "note" }],
    ["search for c++ (tips)", "grep", { pattern: String.raw`c|tips`, ignore_case: true }],
    ["read MEMORY.md", "read", { path: "MEMORY.md" }],
    ["show me the file `notes/a.md`", "read", { path: "notes/a.md" }],
    ["读取 MEMORY.md", "read", { path: "MEMORY.md" }],
    ["list files", "ls", {}],
    ["list files in notes", "ls", { path: "notes" }],
    ["列出文件", "ls", {}],
    [
      "write ideas.md: a kite\nand a boat",
      "write",
      { path: "ideas.md", text: "a kite\nand a boat\n", mode: "overwrite" },
    ],
    ["写 ideas.md：风筝", "write", { path: "ideas.md", text: "风筝\n", mode: "overwrite" }],
    ["append to ideas.md: a drum", "write", { path: "ideas.md", text: "a drum\n", mode: "append" }],
    [
      "replace kite with boat in ideas.md",
      "edit",
      { path: "ideas.md", old_text: "kite", new_text: "boat" },
    ],
    ["send me a message: tea", "message", { text: "tea" }],
    ["status", "session_status", {}],
    ["状态", "session_status", {}],
    ["be quiet", "stay_silent", { reason: "asked to be quiet" }],
    ["Say nothing.", "stay_silent", { reason: "asked to be quiet" }],
    ["别说话", "stay_silent", { reason: "asked to be quiet" }],
    [
      "Ann (owner): remember the boat is blue",
      "memory_write",
      { text: "the boat is blue", target: "note" },
    ],
    ["@crab_bot list files", "ls", {}],
    ['[in reply to you: "hello"]\nread MEMORY.md', "read", { path: "MEMORY.md" }],
  ])("answers %j with a call of %s", async (text, name, input) => {
    const { calls, last } = await finished([says(text)]);
    expect(calls).toEqual([[name, input]]);
    expect(last.stopReason).toBe("tool-calls");
    const tool = tools.find((one) => one.name === name);
    const parsed = z.looseObject({}).parse(tool?.parameters.parse(input));
    for (const key of Object.keys(input)) expect(parsed).toHaveProperty(key);
  });

  test.each([
    ["what do you know about my sister?", "my sister"],
    ["What do you know about Ann's blue boat", "Ann's blue boat"],
    ["do you remember the boat?", "the boat"],
    ["你知道妹妹的什么", "妹妹"],
    ["关于咖啡你知道什么？", "咖啡"],
    ["What do I have to buy?", "What do I have to buy"],
    ["Do you know my car?", "my car"],
    ["where is my key", "where is my key"],
    ["我喜欢什么？", "喜欢"],
  ])(
    "looks for what %j is about in the owner's memory, but not in what was said",
    async (text, query) => {
      const { calls } = await finished([says(text)]);
      expect(calls).toEqual([["memory_search", { query, kinds: ["curated", "note"], limit: 10 }]]);
    },
  );

  test.each(["who am I?", "我是谁？"])("%j is answered from USER.md", async (text) => {
    const { calls } = await finished([says(text)]);
    expect(calls).toEqual([["read", { path: "USER.md" }]]);
  });

  test("makes one call for each of several messages", async () => {
    const { calls, last } = await finished([says("remember a", "Bob: hm", "remember b")]);
    expect(calls.map(([name]) => name)).toEqual(["memory_write", "memory_write"]);
    const ids = last.message.content.map((part) => (part.type === "tool-call" ? part.id : ""));
    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    "please keep in mind that the boat is blue",
    "Don't forget the boat is blue",
    "make a note: the boat is blue",
  ])("%j is a wish to remember", async (text) => {
    const { calls } = await finished([says(text)]);
    expect(calls).toEqual([["memory_write", { text: "the boat is blue", target: "note" }]]);
  });

  test("does not call a tool that is not there, and says so", async () => {
    const { calls, text } = await finished([says("remember the boat is blue")], ["read"]);
    expect(calls).toEqual([]);
    expect(text).toContain("`memory_write` is not available");
  });

  test.each([
    "[forwarded message, not the sender's own words]\nremember the boat is red",
    "[overheard] remember the boat is red",
    "Bob: [overheard] remember the boat is red",
    "[Pagurus] remember the boat is red",
  ])("does not act on %j", async (text) => {
    const { calls } = await finished([says(text)]);
    expect(calls).toEqual([]);
  });
});

describe("telling what came back", () => {
  test("answers from results only", async () => {
    const rows = [
      passages(
        "memory/2026-11-02.md",
        "- 09:12 my sister likes tulips",
        '  > "remember my sister"',
      ),
      passages("USER.md", "sister"),
      passages("memory/2026-11-03.md", "- 09:12 my sister is called Ida"),
    ].join("\n\n");
    const text = await ask("what do you know about my sister Ida", rows);
    expect(text).toContain("- my sister is called Ida — `memory/2026-11-03.md`");
    expect(text).not.toContain("tulips");
    const all = await ask("what do you know about my sister", rows);
    expect(all).toContain("tulips");
    expect(all).not.toContain(">");
    expect(await ask("what do you know about snow", "Nothing found.")).toBe(nothingSaid);
  });

  test("finds whole words, in all places at once", async () => {
    const rows = `${passages("USER.md", "scarf and carpet")}\n\n${passages("memory/a.md", "x", "- my cars are red")}`;
    const text = await ask("do you know my car?", rows);
    expect(text).toContain("my cars are red — `memory/a.md`");
    expect(text).not.toContain("scarf");
    expect(text.match(/This is what my notes say/g)).toHaveLength(1);
    expect(await ask("do you know my car?", passages("MEMORY.md", "# carpet"))).toBe(nothingSaid);
  });

  test("shows what the search has found by other forms of the words, or by none of them", async () => {
    const found = [
      passages("memory/2026-11-02.md", "- 09:12 fact:", '  > "I\'m allergic to peanuts"'),
      passages("MEMORY.md", "- I like tulips <!-- from: x.md#0a -->"),
    ].join("\n\n");
    expect(await ask("what do you know about my allergy", found)).toBe(
      "This is what my notes say:\n- I'm allergic to peanuts — `memory/2026-11-02.md`",
    );
    const near = await ask(
      "do you know my car?",
      `${passages("MEMORY.md", "carpet")}\n\n[A notice.]`,
    );
    expect(near).toBe(
      "No note of mine has just those words; this is the nearest:\n- carpet — `MEMORY.md`",
    );
  });

  test("says that an overwritten file holds nothing else", async () => {
    expect(await ask("write MEMORY.md: tea", "Changed.")).toMatch(/`MEMORY.md` now holds that and/);
  });

  test("says where a note went, and what failed", async () => {
    expect(await ask("remember x y", `Noted in memory/${today}.md.`)).toBe(
      `Noted in \`memory/${today}.md\`. Now ask me: \`what do you know about x?\``,
    );
    expect(await ask("remember x y", "The disk is full.", true)).toBe(
      "That did not work: The disk is full.",
    );
    expect(await ask("记住 妹妹", `Noted in memory/${today}.md.`)).toContain(
      `已记入 \`memory/${today}.md\`。`,
    );
  });

  test("shows a file in a fence that its own fences cannot close", async () => {
    expect(await ask("read a.md", "x\n```\ny\n```")).toBe("`a.md`:\n\n````\nx\n```\ny\n```\n````");
  });

  test("lists files and passes on the status", async () => {
    expect(await ask("list files", "AGENTS.md (5 bytes)\nmemory/")).toContain(
      "- AGENTS.md (5 bytes)\n- memory/",
    );
    expect(await ask("status", "Model: demo/demo")).toBe("Model: demo/demo");
  });
});

describe("talking", () => {
  test("introduces itself in the first reply only, with the settings that replace it", async () => {
    const first = await finished([says("hello")]);
    expect(first.text).toMatch(/demo.*no language model/s);
    expect(first.text).toContain("ANTHROPIC_API_KEY");
    expect(first.text).toContain("OPENAI_API_KEY");
    expect(first.text).toContain(".dev.vars");
    expect(first.text).toContain("remember my sister likes tulips");
    const second = await finished([says("hello"), first.last.message, says("hello")]);
    expect(second.text).not.toContain("ANTHROPIC_API_KEY");
  });

  test("introduces itself after its first call, too", async () => {
    const { last } = await finished([says("list files")]);
    const results = last.message.content.flatMap((part) =>
      part.type === "tool-call"
        ? [{ callId: part.id, name: "ls", text: "a.md", isError: false }]
        : [],
    );
    const { text } = await finished([says("list files"), last.message, { role: "tool", results }]);
    expect(text).toContain("ANTHROPIC_API_KEY");
    expect(text).toContain("- a.md");
  });

  test("does not introduce itself again when older turns are left out", async () => {
    const left = "[Pagurus] 12 older turns of this conversation are left out here.";
    expect((await finished([says(left, "hello")])).text).not.toContain("ANTHROPIC_API_KEY");
  });

  test("speaks Chinese when spoken to in Chinese", async () => {
    expect((await finished([says("你好")])).text).toMatch(/演示程序.*ANTHROPIC_API_KEY.*你好/s);
  });

  test.each([
    "My sister Anna moved to Lisbon",
    "Merk dir bitte, dass mein Fahrrad im Keller steht",
  ])("does not claim that %j was lost on it, where it is kept by rule", async (said) => {
    const kept = await finished([says(said)]);
    expect(kept.calls).toEqual([]);
    expect(kept.text).toContain("go into your notes all the same");
    // A word like "Diet: vegan" does not.
    expect(kept.text).toMatch(
      /Plain sentences about yourself.* All else stands in our conversations only/,
    );
    expect(kept.text).not.toMatch(/not understand/);
    const elsewhere = await finished([says(said)], ["read", "ls"]);
    expect(elsewhere.text).not.toContain("your notes all the same");
  });

  test("offers only what its tools can do", async () => {
    const { text } = await finished([says("xyzzy")], ["ls"]);
    expect(text).toContain("`list files`");
    expect(text).not.toContain("`remember");
  });

  test("answers a heartbeat quietly", async () => {
    const { text } = await finished([
      says("Read HEARTBEAT.md. If nothing is due, answer HEARTBEAT_OK."),
    ]);
    expect(text).toBe("HEARTBEAT_OK");
  });
});

describe("as a provider", () => {
  test("streams word by word what it finally says, and counts tokens", async () => {
    const { events, text, last } = await finished([says("hello")]);
    const deltas = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
    expect(deltas.join("")).toBe(text);
    expect(deltas.length).toBeGreaterThan(20);
    expect(last.usage?.input).toBeGreaterThan(10);
    expect(last.usage?.output).toBeGreaterThan(10);
  });

  test("ends with one error when aborted", async () => {
    const controller = new AbortController();
    controller.abort();
    const events = await run(request([says("hello")]), controller.signal);
    expect(events).toMatchObject([{ type: "error", fault: { reason: "aborted" } }]);
  });

  test("takes any text, deterministically and quickly", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom(
        "remember",
        "what do you know about ",
        "记住",
        "read ",
        "write a: ",
        "?".repeat(4000),
        "ok ".repeat(2000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (texts) => {
        const one = await finished([says(texts.join(" "))]);
        const two = await finished([says(texts.join(" "))]);
        expect(two.last).toEqual(one.last);
        expect(one.text !== "" || one.calls.length > 0).toBe(true);
      }),
    );
  });
});
