import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageLimit } from "#ext/slack/render.ts";
import { mrkdwnOf, render } from "./slack-rig.ts";

const words = (count: number, word = "word") =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");

function sectionsOf(payload: Readonly<Record<string, unknown>> | undefined): string[] {
  const sections = payload?.["sections"];
  return Array.isArray(sections) ? sections.map(String) : [];
}

const compact = (text: string) => text.replace(/\s+/g, "");

describe("parts of a message", () => {
  it("are none for a message that says nothing", () => {
    expect(render({ text: "" })).toEqual([]);
    expect(render({ text: " \n\n " })).toEqual([]);
  });

  it("carry the text alone while it is short", () => {
    expect(render({ text: "**hi**" })).toEqual([
      { payload: { type: "text", text: "*hi*" }, text: "hi" },
    ]);
  });

  it("stay within 8,000 characters, counted after escaping", () => {
    const text = Array.from({ length: 3000 }, () => "a&b<c>").join(" ");
    const parts = render({ text });
    for (const part of parts) expect(mrkdwnOf(part).length).toBeLessThanOrEqual(messageLimit);
    expect(parts.length).toBeLessThanOrEqual(9);
    const joined = parts.map(mrkdwnOf).join(" ");
    expect(compact(joined)).toBe(
      compact(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    );
  });

  it("bring a long text as sections too, because an edit takes only short texts", () => {
    const [part] = render({ text: words(1000) });
    const sections = sectionsOf(part?.payload);
    expect(sections.length).toBeGreaterThan(1);
    for (const section of sections) expect(section.length).toBeLessThanOrEqual(3000);
    expect(compact(sections.join(""))).toBe(compact(mrkdwnOf(part)));
    // Counted in bytes: 1,500 of these characters are 4,500 bytes.
    expect(sectionsOf(render({ text: "語".repeat(1500) })[0]?.payload).join("")).toBe(
      "語".repeat(1500),
    );
    expect(sectionsOf(render({ text: "x".repeat(1500) })[0]?.payload)).toEqual([]);
  });

  it("close and reopen a fence that has to break", () => {
    const code = Array.from({ length: 900 }, (_, line) => `let v${line} = ${line};`).join("\n");
    const parts = render({ text: `Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone.` });
    expect(parts.length).toBeGreaterThan(1);
    const pieces = parts.flatMap((part) => [mrkdwnOf(part), ...sectionsOf(part.payload)]);
    for (const piece of pieces) expect(piece.split("```").length % 2).toBe(1);
    const lines = parts
      .flatMap((part) => mrkdwnOf(part).split("\n"))
      .filter((line) => line.startsWith("let v"));
    expect(lines.join("\n")).toBe(code);
  });

  it("put buttons under the last text, with the text in sections above", () => {
    const buttons = [
      [
        { label: "Yes", data: "a:1" },
        { label: "No", data: "a:2" },
      ],
      [],
    ];
    const parts = render({ text: words(2500), buttons });
    expect(parts.length).toBeGreaterThan(1);
    const [last, ...others] = parts.toReversed();
    expect(last?.payload["buttons"]).toEqual([buttons[0]]);
    expect(sectionsOf(last?.payload).length).toBeGreaterThan(0);
    for (const part of others) expect(part.payload).not.toHaveProperty("buttons");
    expect(render({ text: "", buttons })).toHaveLength(1);
  });

  it("follow with one part per file", () => {
    const media = [
      { kind: "image" as const, mediaKey: "m/1", mimeType: "image/png", name: "a.png" },
      { kind: "file" as const, mediaKey: "m/2", mimeType: "text/plain", name: "b.txt" },
    ];
    const parts = render({ text: "see", media, buttons: [[{ label: "Ok", data: "x" }]] });
    expect(parts.map(({ payload }) => payload["type"])).toEqual(["text", "media", "media"]);
    expect(parts[0]?.payload).toHaveProperty("buttons");
    expect(render({ text: "", media }).map(({ text }) => text)).toEqual(["a.png", "b.txt"]);
  });

  it("lose no word of any text", () => {
    const word = fc.stringMatching(/^[a-z日本語é😀]{1,30}$/u);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 1500 }), (list) => {
        const parts = render({ text: list.join(" ") });
        expect(compact(parts.map(mrkdwnOf).join(" "))).toBe(list.join(""));
      }),
      { numRuns: 25 },
    );
  });
});
