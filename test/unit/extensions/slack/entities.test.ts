import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { onlyMention, readSlackText } from "#ext/slack/entities.ts";

const self = "U0FAKEBOT1";
const read = (text: string) => readSlackText(text, self).text;

describe("Slack's text entities", () => {
  it.each([
    ["<#C1|general> and <#C2> and <#C3|>", "#general and #C2 and #C3"],
    ["<@U0FAKE0002> and <@U0FAKE0003|grace>", "@U0FAKE0002 and @grace"],
    ["<!here> <!channel> <!everyone>", "@here @channel @everyone"],
    ["<!subteam^S1|@ops> <!subteam^S2>", "@ops @S2"],
    ["<!date^1392734382^{date}|18 Feb>", "18 Feb"],
    ["<https://example.org>", "https://example.org"],
    ["<https://example.org/|example.org>", "https://example.org/"],
    ["<https://example.org/?a=1&amp;b=2|the docs>", "the docs (https://example.org/?a=1&b=2)"],
    ["<mailto:ada@example.org|ada@example.org>", "ada@example.org"],
    ["<mailto:ada@example.org|write to her>", "write to her (mailto:ada@example.org)"],
    ["<tel:+123|+123>", "+123"],
    ["1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"],
    ["*bold* _it_ `code`", "*bold* _it_ `code`"],
  ])("reads %s", (raw, text) => {
    expect(read(raw)).toBe(text);
  });

  it("unescapes once, and never into an entity", () => {
    expect(read("&amp;lt; &lt;@U1&gt; &lt;!channel&gt;")).toBe("&lt; <@U1> <!channel>");
  });

  it("drops our own mention at the start and keeps it as a name elsewhere", () => {
    expect(readSlackText(`<@${self}> /status`, self)).toEqual({
      text: "/status",
      mentionsSelf: true,
    });
    expect(read(` <@${self}|helper>: <@${self}>, hello`)).toBe("hello");
    expect(read(`ask <@${self}> about it`)).toBe("ask @assistant about it");
    expect(read(`<@${self}>`)).toBe("@assistant");
    expect(readSlackText("<@U0FAKE0009> hi", self)).toEqual({
      text: "@U0FAKE0009 hi",
      mentionsSelf: false,
    });
  });

  it("takes a text for a mention of ours only with our whole id", () => {
    expect(readSlackText(`<@${self}X> hi`, self).mentionsSelf).toBe(false);
    expect(readSlackText(`&lt;@${self}&gt; hi`, self)).toEqual({
      text: `<@${self}> hi`,
      mentionsSelf: false,
    });
    expect(readSlackText("<@U+> hi", "U+")).toEqual({ text: "hi", mentionsSelf: true });
  });

  it("finds the only person mentioned", () => {
    expect(onlyMention("<@U1> hi <@U1|one>")).toBe("U1");
    expect(onlyMention("<@U1> hi <@U2>")).toBeUndefined();
    expect(onlyMention("hi")).toBeUndefined();
  });

  it("gives back what a person typed, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (typed) => {
        const raw = typed.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
        expect(read(raw)).toBe(typed.trim());
      }),
    );
  });

  it("reads any text without throwing", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "|",
      "@",
      "!",
      "#",
      "&",
      "&lt;",
      "U1",
      self,
      "^",
      ":",
      "http:",
      "\n",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(typeof read(pieces.join(""))).toBe("string");
      }),
    );
  });
});
