import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readIntent } from "#ext/demo/intent.ts";
import { bestMatches, keywords, topicOf } from "#ext/demo/keywords.ts";
import { newWord } from "#test/harness/words.ts";
import { ask, finished, passages, says, talk, today } from "./demo-rig.ts";

const hello = { role: "assistant" as const, content: [{ type: "text" as const, text: "hello" }] };

/** Questions in the words people use, and whether the demo looks before it answers. */
describe("a question", () => {
  const thing = newWord();

  test.each([
    `where is the ${thing}?`,
    `Where's my ${thing}`,
    `hey, where did we put the ${thing}?`,
    `what colour is the ${thing}?`,
    `What is my ${thing}?`,
    `what is ${thing}`,
    `when is the ${thing}?`,
    `who has the ${thing}?`,
    `how old is the ${thing}?`,
    `tell me about the ${thing}`,
    `Please tell me something about ${thing}.`,
    `can you tell me where the ${thing} is?`,
    `remind me where the ${thing} is`,
    `help me find out where the ${thing} is`,
    `is the ${thing} blue?`,
    `${thing}在哪里？`,
    `${thing}是什么颜色？`,
  ])("%j is looked up in the notes, and their line is quoted", async (text) => {
    const { calls } = await finished([says(text)]);
    expect(calls.map(([name]) => name)).toEqual(["memory_search"]);
    const [, { query }] = calls[0] as [string, { query: string }];
    expect(query).toContain(thing);
    const line = `the ${thing} is ${newWord()}`;
    const found = passages("memory/a.md", "- 10:00 tea", `- 10:01 ${line}`);
    expect(await ask(text, found)).toContain(`- ${line} — \`memory/a.md\``);
  });

  test("for which the notes have nothing is told so, with the places that were looked at", async () => {
    const text = await ask(`where is the ${thing}?`, "Nothing found.");
    for (const part of ["nothing about that", "`MEMORY.md`", "demo"]) expect(text).toContain(part);
    const searched = await ask(`search for ${thing}`, "No match.");
    expect(searched).toBe("No file here says anything about that.");
  });

  test("is not answered from headings, comments and empty lines of a form", async () => {
    const rows = [
      passages("MEMORY.md", `<!-- ${thing} -->`, "", `## ${thing}`),
      passages("USER.md", `- ${thing}:`),
    ];
    expect(await ask(`where is the ${thing}?`, rows.join("\n"))).toContain("nothing about that");
  });
});

describe("what it can do", () => {
  test.each([
    "help",
    "Help!",
    "what can you do?",
    "What can I ask you?",
    "what should I try first",
    "who are you?",
    "tell me about yourself",
    "你能做什么？",
    "帮助",
  ])("is told when asked %j, and that this is the demo", async (text) => {
    const { text: said } = await finished([says("hi"), hello, says(text)]);
    expect(said).toMatch(/demo|演示/);
    expect(said).toMatch(/`remember|`记住/);
  });
});

describe("its memory", () => {
  test.each([
    "show memory",
    "list your memory",
    "show me my notes",
    "List all notes.",
    "what do you remember?",
    "what's in your memory?",
    "what do you know about me?",
    "列出记忆",
    "你记得什么？",
  ])("is shown when asked %j", async (text) => {
    const files: Record<string, string> = {
      "memory/2026-11-30.md":
        'memory/2026-11-30.md:4:   > "My sister moved"\nmemory/2026-11-30.md:5: - 08:00 tea\nmemory/2026-11-30.md:6:   > "remember tea"',
      "memory/2026-11-02.md": "memory/2026-11-02.md:3: - 07:10 the boat is blue",
      "memory/2026-10-01.md": "memory/2026-10-01.md:3: - 07:10 rain",
      "memory/2026-09-01.md": "memory/2026-09-01.md:3: - 07:10 snow",
      "MEMORY.md": "MEMORY.md:9: - I row <!-- from: x.md#0a -->",
    };
    const listed = Object.keys(files)
      .flatMap((path) => path.split("memory/")[1] ?? [])
      .toSorted();
    const listing = [...listed.map((name) => `${name} (99 bytes)`), "dreaming/"].join("\n");
    const { calls, text: said } = await talk(text, (tool, { path = "" }) =>
      tool === "ls" ? listing : (files[path] ?? "No match."),
    );
    expect(calls[0]).toEqual(["ls", { path: "memory" }]);
    expect(said.split("\n").slice(-5)).toEqual([
      "- My sister moved — `memory/2026-11-30.md`",
      "- tea — `memory/2026-11-30.md`",
      "- the boat is blue — `memory/2026-11-02.md`",
      "- rain — `memory/2026-10-01.md`",
      "- I row — `MEMORY.md`",
    ]);
    const [, { pattern }] = calls[1] as [string, { pattern: string }];
    const shown = (line: string) => new RegExp(pattern, "iu").test(line);
    expect(["- the boat is blue", "2026-11-02 Ann moved"].map(shown)).toEqual([true, true]);
    expect(["", "## People", "<!-- one line each -->", "- Call them:"].filter(shown)).toEqual([]);
    const nothing = await talk(text, () => "No match.");
    expect(nothing.text).toMatch(/no notes yet|还没有笔记/);
  });

  test("begins with the latest of the notes of a day", async () => {
    const listed = ["2026-11-29.md", "2026-11-30-2.md", "2026-11-30-3.md", "2026-11-30.md"];
    const listing = listed.map((name) => `${name} (99 bytes)`).join("\n");
    const { calls } = await talk("show my notes", (tool) =>
      tool === "ls" ? listing : "No match.",
    );
    expect(calls.slice(1, 4)).toMatchObject([
      ["grep", { path: "memory/2026-11-30-3.md" }],
      ["grep", { path: "memory/2026-11-30-2.md" }],
      ["grep", { path: "memory/2026-11-30.md" }],
    ]);
  });

  test("is shown without reports of nights, also where folders cannot be listed", async () => {
    const rows = "memory/2026-11-02.md:3: - tea\nmemory/dreaming/light/2026-11-02.md:4: - a report";
    const { text, calls } = await talk(
      "show my notes",
      (_tool, { path }) => (path === "memory" ? rows : "No match."),
      ["grep"],
    );
    expect(calls).toHaveLength(3);
    expect(text).toBe("This is what my notes say:\n- tea — `memory/2026-11-02.md`");
  });

  test("a folder that was asked for is listed as before", async () => {
    const { text, calls } = await talk("list files in memory", () => "2026-11-02.md (9 bytes)");
    expect(calls).toEqual([["ls", { path: "memory" }]]);
    expect(text).toContain("- 2026-11-02.md (9 bytes)");
  });
});

describe("after a note", () => {
  test.each([
    ["my sister likes tulips", "my sister"],
    ["the spare key is under the pot", "the spare key"],
    ["to buy milk", "milk"],
    ["I am allergic to peanuts", "peanuts"],
    ["dentist on Friday", "dentist"],
    ["妹妹喜欢郁金香", "妹妹"],
  ])("%j one question is suggested: about %s", async (fact, topic) => {
    const said = await ask(`remember ${fact}`, `Noted in memory/${today}.md.`);
    expect(said).toContain(`\`memory/${today}.md\``);
    expect(said.match(/what do you know about|你知道什么/g)).toHaveLength(1);
    expect(said).toContain(topic);
    expect(topicOf(fact)).toBe(topic);
  });

  test("the suggested question finds the note, whatever it says", () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    const words = fc.array(fc.oneof(word, fc.constantFrom("is", "my", "the", "likes", "I")), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(words, (each) => {
        const fact = each.join(" ");
        const intent = readIntent(`what do you know about ${topicOf(fact)}?`);
        if (intent.type === "memory") return;
        expect(intent.type).toBe("recall");
        const about = intent.type === "recall" ? intent.about : "";
        expect(bestMatches([fact], keywords(about))).toEqual([fact]);
      }),
    );
  });

  test("nothing is suggested that could not be looked up", async () => {
    const { last } = await finished([says("remember the boat is blue")], ["memory_write"]);
    const results = last.message.content.flatMap((part) =>
      part.type === "tool-call"
        ? [{ callId: part.id, name: part.name, text: "Created.", isError: false }]
        : [],
    );
    const messages = [
      says("remember the boat is blue"),
      last.message,
      { role: "tool" as const, results },
    ];
    expect((await finished(messages, ["memory_write"])).text).not.toContain("what do you know");
  });
});
