import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OutboundMedia, OutboundMessage } from "#contract/message.ts";
import { partSchema } from "#ext/telegram/part.ts";
import { captionLimit, renderTelegram, textLimit } from "#ext/telegram/render.ts";
import { parseMarkdown } from "#kit/markdown/parse.ts";
import { visibleText } from "#kit/markdown/plain.ts";
import { parseTelegramHtml, type TelegramTag } from "#test/doubles/telegram-html.ts";
import { directRoute, groupRoute, topicRoute } from "./telegram-rig.ts";

function render(text: string, more: Partial<OutboundMessage> = {}, route = directRoute) {
  return renderTelegram({ kind: "final", text, ...more }, route);
}

interface Shown {
  readonly html: string;
  readonly text: string;
  readonly tags: readonly TelegramTag[];
}

/** What Telegram would show of each text, or an error if it refused one. */
function shown(text: string): Shown[] {
  return render(text).map((part) => {
    const payload = partSchema.parse(part.payload);
    if (payload.type !== "text") throw new Error("not a text");
    const { html } = payload.text;
    const parsed = parseTelegramHtml(html);
    if (!parsed.ok) throw new Error(`${parsed.error}: ${html.slice(0, 200)}`);
    return { html, ...parsed };
  });
}

function html(text: string): string[] {
  return shown(text).map((part) => part.html);
}

function compact(text: string): string {
  return text.replace(/\s+/g, "");
}

function picture(index: number, mimeType = "image/png"): OutboundMedia {
  return { kind: "image", mediaKey: `media/${index}`, mimeType, name: `picture-${index}.png` };
}

const wire = (parts: ReturnType<typeof render>) =>
  parts.map((part) => partSchema.parse(part.payload));

describe("renderTelegram: mark-up", () => {
  // B08
  it("nests a link at the end of bold text", () => {
    const url = "https://example.org/a_b";
    expect(html(`**Check ${url}**`)).toEqual([`<b>Check <a href="${url}">${url}</a></b>`]);
  });

  // B08
  it("does not let Telegram turn a file name into a link", () => {
    expect(html("**See NOTES.md here**")).toEqual(["<b>See <code>NOTES.md</code> here</b>"]);
    expect(html("run src/tools/main.rs, then a.sh")).toEqual([
      "run <code>src/tools/main.rs</code>, then <code>a.sh</code>",
    ]);
    expect(html("`NOTES.md` at https://example.org/NOTES.md")).toEqual([
      '<code>NOTES.md</code> at <a href="https://example.org/NOTES.md">https://example.org/NOTES.md</a>',
    ]);
    expect(html("version 1.2 of example.org")).toEqual(["version 1.2 of example.org"]);
  });

  // B09
  it("escapes what is not mark-up", () => {
    expect(html("From: **Pat Doe** <pat.doe@example.org> & co")).toEqual([
      "From: <b>Pat Doe</b> &lt;pat.doe@example.org&gt; &amp; co",
    ]);
  });

  it.each([
    ["*a* ~~b~~ `c<d` ||e||", "<i>a</i> <s>b</s> <code>c&lt;d</code> <tg-spoiler>e</tg-spoiler>"],
    ["# A **b** c", "<b>A b c</b>"],
    ["```py\nx < 1\n```", '<pre><code class="language-py">x &lt; 1</code></pre>'],
    ["```\nx\n```", "<pre>x</pre>"],
    ["> a\n> b", "<blockquote>a\nb</blockquote>"],
    ["> a\n>> b", "<blockquote>a\n\nb</blockquote>"],
    ["- a\n- b\n  - c", "• a\n• b\n   • c"],
    ["3. a\n4. b", "3. a\n4. b"],
    ["- [x] a\n- [ ] b", "☑ a\n☐ b"],
    ["a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["[x](https://example.org/?a=1&b=2)", '<a href="https://example.org/?a=1&amp;b=2">x</a>'],
    ["[write](mailto:pat@example.org)", "write (pat@example.org)"],
  ])("renders %j", (source, expected) => {
    expect(html(source)).toEqual([expected]);
  });

  it("shows a table as aligned lines", () => {
    const table = "| Plant | Days |\n|---|--:|\n| Peas | 60 |\n| 大根 | 7 |";
    expect(html(table)).toEqual([
      "<pre>Plant | Days\n------+-----\nPeas  |   60\n大根  |    7</pre>",
    ]);
  });

  it("keeps the address of a link in a table", () => {
    const [part] = shown("| a |\n|---|\n| [b](https://example.org/x) |");
    expect(part?.text).toContain("b (https://example.org/x)");
  });
});

describe("renderTelegram: splitting", () => {
  // B06
  it("closes and reopens a code block, with its language, between lines", () => {
    const lines = Array.from(
      { length: 300 },
      (_, index) => `const a${index} = x < y && z > 1; // line ${index}`,
    );
    const parts = shown(`Intro\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\nOutro`);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      expect(part.text.length).toBeLessThanOrEqual(textLimit);
      for (const tag of part.tags.filter(({ name }) => name === "code")) {
        expect(tag.attributes["class"]).toBe("language-ts");
      }
    }
    const code = parts.flatMap(({ text, tags }) =>
      tags
        .filter(({ name }) => name === "code")
        .flatMap(({ start, end }) => text.slice(start, end).split("\n")),
    );
    expect(code).toEqual(lines);
    const all = parts.map((part) => part.text).join("\n");
    expect(compact(all)).toBe(compact(`Intro${lines.join("")}Outro`));
  });

  // B07
  it("counts what a person sees and never cuts an entity", () => {
    const [only, ...others] = shown("&".repeat(4096));
    expect(others).toEqual([]);
    expect(only?.text).toBe("&".repeat(4096));
    const more = shown("&".repeat(5000));
    expect(more.map((part) => part.text).join("")).toBe("&".repeat(5000));
    const quotes = shown(Array.from({ length: 1250 }, () => "> q").join("\n"));
    expect(compact(quotes.map((part) => part.text).join(""))).toBe("q".repeat(1250));
    for (const part of [only, ...more, ...quotes]) {
      expect(part?.html).not.toMatch(/&[a-z#0-9]{0,6}$/i);
      expect(Buffer.byteLength(part?.html ?? "")).toBeLessThanOrEqual(32_768);
      expect(part?.text.length).toBeLessThanOrEqual(textLimit);
    }
  });

  it("keeps every piece within the entities Telegram honours", () => {
    const source = Array.from({ length: 350 }, (_, index) => `**w${index}** x`).join(" ");
    const parts = shown(source);
    expect(Math.max(...parts.map((part) => part.tags.length))).toBeLessThanOrEqual(100);
    expect(compact(parts.map((part) => part.text).join(""))).toBe(
      compact(source.replaceAll("*", "")),
    );
  });

  it("gives Telegram well-formed pieces within its limits, whatever the Markdown", () => {
    const block = fc.constantFrom(
      "# Title *x*\n\n",
      "text **bold _both_** `co<de` [l](https://example.org/?a&b) ",
      "> quoted & more\n>> deeper\n\n",
      "- item **one**\n  1. inner\n\n     ```js\n     a < b && c\n     ```\n\n",
      "| a | b |\n|---|---|\n| 1 & 2 | `x|y` |\n\n",
      "```ts\nconst x = 1 < 2;\n```\n\n",
      "日本語の文章です。",
      "👩‍👩‍👧‍👦🇫🇷 ",
      "||hidden|| ~~gone~~ *open ",
      "<b>not a tag</b> &amp; </code> ",
      "plain words follow each other here. ",
    );
    const sources = fc.array(block, { minLength: 1, maxLength: 220 }).map((all) => all.join(""));
    fc.assert(
      fc.property(sources, (source) => {
        const parts = shown(source);
        for (const part of parts) {
          expect(part.text.length).toBeLessThanOrEqual(textLimit);
          expect(Buffer.byteLength(part.html)).toBeLessThanOrEqual(32_768);
          expect(part.text.trim()).not.toBe("");
        }
        const words = (text: string) => text.match(/[A-Za-z]{3,}|[日本語]/g) ?? [];
        const seen = words(parts.map((part) => part.text).join("\n")).join("");
        expect(seen).toBe(words(visibleText(parseMarkdown(source))).join(""));
      }),
      { numRuns: 60 },
    );
  });

  it("offers a plain text for each piece that is no longer than the limit", () => {
    const link = (index: number) => `[w${index}](https://example.org/${"x".repeat(80)}${index})`;
    const source = Array.from({ length: 90 }, (_, index) => link(index)).join(" ");
    for (const part of render(source)) expect(part.text.length).toBeLessThanOrEqual(textLimit);
  });
});

describe("renderTelegram: files and buttons", () => {
  it("puts a short text below a single picture", () => {
    const parts = render("**look**", { media: [picture(1)] });
    expect(wire(parts)).toEqual([
      {
        type: "media",
        files: [picture(1)],
        caption: { html: "<b>look</b>", plain: "look" },
      },
    ]);
    expect(parts.map((part) => part.text)).toEqual(["look"]);
  });

  // B14
  it("sends a picture without words first when the text is too long for a caption", () => {
    const text = "word ".repeat(300).trim();
    const parts = wire(render(text, { media: [picture(1)] }, topicRoute("285")));
    expect(parts.map((part) => part.type)).toEqual(["media", "text"]);
    expect(parts[0]).not.toHaveProperty("caption");
    expect(render(text.slice(0, captionLimit - 1), { media: [picture(1)] })).toHaveLength(1);
  });

  it("makes albums of up to ten pictures, and keeps other kinds apart", () => {
    const pictures = Array.from({ length: 12 }, (_, index) => picture(index));
    const document: OutboundMedia = {
      kind: "file",
      mediaKey: "media/d",
      mimeType: "application/pdf",
      name: "plan.pdf",
    };
    const parts = wire(render("all of it", { media: [...pictures, document] }));
    expect(parts.map((part) => (part.type === "media" ? part.files.length : 0))).toEqual([
      10, 2, 1, 0,
    ]);
  });

  it("hangs buttons on the last part, which is never an album", () => {
    const buttons = [[{ label: "Yes", data: "y" }]];
    const withText = wire(render("choose", { media: [picture(1), picture(2)], buttons }));
    expect(withText.map((part) => [part.type, part.keyboard !== undefined])).toEqual([
      ["media", false],
      ["text", true],
    ]);
    const bare = wire(render("", { media: [picture(1), picture(2)], buttons }));
    expect(bare.map((part) => [part.type, part.keyboard !== undefined])).toEqual([
      ["media", false],
      ["media", true],
    ]);
  });

  it("leaves out a button Telegram would refuse, not the message", () => {
    const buttons = [
      [
        { label: "ok", data: "x".repeat(64) },
        { label: "too long", data: "ä".repeat(33) },
        { label: "", data: "y" },
      ],
      [{ label: "none", data: "" }],
    ];
    const [part] = wire(render("hi", { buttons }));
    expect(part?.keyboard).toEqual([[{ text: "ok", callback_data: "x".repeat(64) }]]);
  });

  it("quotes the question with the first part only", () => {
    const route = { ...groupRoute, replyToMessageId: "41" };
    const parts = wire(render("word ".repeat(2000), {}, route));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map((part) => part.replyTo)).toEqual([
      "41",
      ...parts.slice(1).map(() => undefined),
    ]);
  });

  it("renders nothing for nothing", () => {
    expect(render("")).toEqual([]);
    expect(render("", { buttons: [[{ label: "a", data: "b" }]] })).toEqual([]);
  });
});
