import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPreviewFilter, egress, type EgressMode } from "#kit/egress.ts";

const alertText = "The cellar is wet and the pump has stopped. ".repeat(10).trim();

describe("control words", () => {
  // B66
  test.each([
    "HEARTBEAT_OK",
    "**HEARTBEAT_OK**",
    "`HEARTBEAT_OK`",
    "HEARTBEAT_OK.",
    "<b>HEARTBEAT_OK</b>",
    "quiet night, HEARTBEAT_OK, bye",
    "[bot] HEARTBEAT_OK",
    "_HEARTBEAT_OK_",
    "HEARTBEAT\\_OK",
    "",
    "  \n",
  ])("a heartbeat answering %j sends nothing", (text) => {
    expect(egress(text, "heartbeat")).toEqual({ text: "", silent: true });
    expect(shown(text, "heartbeat")).toEqual([]);
  });

  // B66
  test("a heartbeat with a real alert sends it without the word", () => {
    for (const text of [
      `HEARTBEAT_OK ${alertText}`,
      `${alertText}\n\n**HEARTBEAT_OK**`,
      `HEARTBEAT_OK\n${alertText}`,
    ]) {
      expect(egress(text, "heartbeat")).toEqual({ text: alertText, silent: false });
    }
    expect(egress("Rent is due today.", "heartbeat").text).toBe("Rent is due today.");
  });

  test.each([
    "NO_REPLY",
    "no_reply",
    " NO_REPLY \n",
    "**NO_REPLY**",
    "`NO_REPLY`.",
    "```\nNO_REPLY\n```",
    "<p>NO_REPLY</p>",
    '"NO_REPLY"',
    "[bot] NO_REPLY",
    "bot: NO_REPLY",
    "NO\\_REPLY",
    "NO_REPLY NO_REPLY",
    "NO_REPLY\n\nHEARTBEAT_OK",
    "NO_REPLY 🤫",
    "<think>They only said ok.</think>NO_REPLY",
    "<think>ok</think>\n\n**HEARTBEAT_OK**",
  ])("an answer of %j is silence, also while it streams", (text) => {
    expect(egress(text, "chat")).toEqual({ text: "", silent: true });
    expect(shown(text, "chat")).toEqual([]);
  });

  // B66
  test.each([
    "HEARTBEAT_OK means that all is quiet.",
    "The word NO_REPLY stays in a sentence.",
    "No reply.",
    "No",
    "Use it like this:\n\n```\nNO_REPLY\n```",
    "The token is: NO_REPLY",
    "NO_REPLYING is not a word",
  ])("an answer of %j is sent as it is", (text) => {
    expect(egress(text, "chat")).toEqual({ text, silent: false });
  });

  test("a control word on its own first or last line is left out", () => {
    expect(egress("Done.\n\nNO_REPLY", "chat").text).toBe("Done.");
    expect(egress("**HEARTBEAT_OK**\nDone.", "chat").text).toBe("Done.");
    expect(egress("```\ncode\nNO_REPLY", "chat").text).toBe("```\ncode\nNO_REPLY");
  });
});

describe("leaked markup", () => {
  test.each([
    ["<think>a secret plan</think>Hello", "Hello"],
    ["<thinking>\na\n</thinking>\n\nHello", "Hello"],
    ["Hello\n<reasoning>a</reasoning>\nworld", "Hello\n\nworld"],
    ["Hello <think>a</think> world", "Hello world"],
    ["<THINK >a</ think>Hello", "Hello"],
    ["<think>a<think>b</think>c</think>Hello", "Hello"],
    ["<think>a</thinking>Hello", "Hello"],
    ["<think>mentions `</think>` itself</think>Hello", "Hello"],
    ["<think>```js\nopen fence</think>Hello", "Hello"],
    ["Let me see.\n<think>cut off in the mid", "Let me see."],
    ["<think>cut off", ""],
    ["no opening tag here\n</think>\n\nHello", "Hello"],
    ["Hello</think>", "Hello"],
    ["<think/> Hello", "Hello"],
    [
      'I look.\n<function_calls>\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>\n</function_calls>',
      "I look.",
    ],
    ['<function_calls><invoke name="x"></invoke></function_calls>Hello', "Hello"],
    ['<tool_call>{"name":"read","arguments":{}}</tool_call>\nHello', "Hello"],
    ['Hello\n<tool_call>{"name":"re', "Hello"],
    ['<invoke name="read"><parameter name="p">x</parameter></invoke>Hello', "Hello"],
    ["<function=read><parameter=path>a</parameter></function>Hello", "Hello"],
    ["Hello<|im_end|>", "Hello"],
    ["<|tool_calls_section_begin|>x<|tool_calls_section_end|>Hello", "Hello"],
    ["Hello\n<｜tool▁calls▁begin｜>x", "Hello"],
    ['[TOOL_CALLS] [{"name":"read"}]\nHello', "Hello"],
  ])("turns %j into %j", (text, expected) => {
    expect(egress(text, "chat")).toEqual({ text: expected, silent: false });
  });

  test.each([
    "a < b and b > c",
    "The tag `<think>` opens, `</think>` closes.",
    "```xml\n<think>x</think>\n<function_calls></function_calls>\n```",
    "~~~\n<tool_call>\n~~~\nafter",
    "I use <think> tags in prose",
    "<think about it> later",
    "Vec<invoke> and <b>bold</b>",
    "``a ` <think> ` b``",
    "1. one\n   ```\n   <think>\n   ```\n2. two",
    "see <https://host.example/a>",
  ])("leaves %j as it is", (text) => {
    expect(egress(text, "chat")).toEqual({ text, silent: false });
  });
});

describe("previews", () => {
  test("show ordinary text as it comes", () => {
    const filter = createPreviewFilter();
    const seen = ["Hello ", "Ann, ", "all ", "is ", "well."].map((delta) => {
      filter.push(delta);
      return filter.visible();
    });
    expect(seen).toEqual([
      "",
      "Hello Ann,",
      "Hello Ann, all",
      "Hello Ann, all is",
      "Hello Ann, all is well.",
    ]);
  });

  test("show Chinese at once and hide a tag that is open", () => {
    const filter = createPreviewFilter();
    filter.push("你好<");
    expect(filter.visible()).toBe("你好");
    filter.push("thi");
    expect(filter.visible()).toBe("你好");
    filter.push("nk>a plan");
    expect(filter.visible()).toBe("你好");
    filter.push("</think>，安娜");
    expect(filter.visible()).toBe("你好，安娜");
  });

  test("hold back a closing control word", () => {
    expect(shown("Done with it.\n\nNO_REPLY", "chat")).not.toContainEqual(
      expect.stringMatching(/\bN$|NO/),
    );
  });

  const fragment = fc.constantFrom(
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "SECRET",
    "NO_REPLY",
    "HEARTBEAT_OK",
    "\n",
    "\n\n",
    " ",
    "hello",
    "a < b",
    "`",
    "```",
    "```\n",
    "\n```\n",
    "**",
    "<b>",
    "</b>",
    "[bot] ",
    "No",
    "你好",
    "<|im_end|>",
    ".",
  );
  const answers = fc.array(fragment, { minLength: 1, maxLength: 10 }).map((list) => list.join(""));

  test("never show anything of an answer that is silence", () => {
    const dressed = fc
      .tuple(
        fc.constantFrom(
          "",
          "**",
          "`",
          "<b>",
          "[bot] ",
          "bot: ",
          "\n",
          "<think>a b c</think>",
          "```\n",
        ),
        fc.constantFrom("NO_REPLY", "HEARTBEAT_OK", "NO\\_REPLY", "NO_REPLY NO_REPLY"),
        fc.constantFrom("", "**", "`", "</b>", ".", "!", "\n", "\n```", " 🤫", "&nbsp;"),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(dressed, (text) => {
        expect(egress(text, "chat").silent).toBe(true);
        expect(shown(text, "chat")).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("never show what a closed reasoning block says", () => {
    fc.assert(
      fc.property(answers, fc.stringMatching(/^[a-z ]{1,12}$/), (before, thought) => {
        const text = `${before.replaceAll(/[`<>]/g, "")}<think>#${thought}#</think>after`;
        for (const visible of shown(text, "chat")) expect(visible).not.toContain("#");
      }),
    );
  });

  test("never throw, and egress is stable", () => {
    fc.assert(
      fc.property(answers, (text) => {
        shown(text, "chat");
        const once = egress(text, "chat");
        expect(egress(once.text, "chat").text.length).toBeLessThanOrEqual(once.text.length);
      }),
      { numRuns: 500 },
    );
  });
});

test("takes linear time on hostile texts", { timeout: 60_000 }, () => {
  const units = [
    "<",
    "<think>",
    "a <think>",
    "</think>",
    "\n</think>\n",
    "<think>x</think>",
    "x </think>",
    "`",
    "` `` ",
    "```\n",
    "<tool_call>",
    "NO_REPLY ",
    "\n",
    " ",
    "<|",
    "<｜",
    "[",
    "**",
    "<a ",
    "&",
    "~~~\n",
    ">",
    "\n> ```",
    "[TOOL_CALLS]",
    "_",
  ];
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    for (const sample of [text, `${text}x`, `x${text}</think>`, `${text}\``]) {
      egress(sample, "chat");
      egress(sample, "heartbeat");
      const filter = createPreviewFilter();
      filter.push(sample);
      filter.visible();
      expect(filter.visible().length, JSON.stringify(unit)).toBeLessThanOrEqual(sample.length);
    }
  }
});

/** Everything a preview would have shown, character by character. */
function shown(text: string, mode: EgressMode): string[] {
  const filter = createPreviewFilter(mode);
  const seen: string[] = [];
  for (const character of text) {
    filter.push(character);
    const visible = filter.visible();
    if (visible !== "") seen.push(visible);
  }
  return seen;
}
