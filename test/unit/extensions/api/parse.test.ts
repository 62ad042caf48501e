import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRequest } from "#ext/api/parse.ts";

function parse(body: unknown, headers: Record<string, string> = {}) {
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return parseRequest({ headers: new Headers(headers), body: bytes, now: 5 });
}

const chat = (messages: unknown[], more: object = {}) => ({ model: "pagurus", messages, ...more });

function taken(body: unknown, headers: Record<string, string> = {}) {
  const result = parse(body, headers);
  if (!result.ok || result.value.kind !== "messages") throw new Error("not taken");
  return { message: result.value.messages[0], extra: result.value.extra };
}

describe("parseRequest", () => {
  it("takes only what follows the last answer as new", () => {
    const { message, extra } = taken(
      chat(
        [
          { role: "user", content: "one" },
          { role: "assistant", content: "two" },
          { role: "user", content: "three" },
          { role: "user", content: "four" },
        ],
        { user: "ada" },
      ),
    );
    expect(message?.text).toBe("three\n\nfour");
    expect(message?.route.conversation).toBe("ada");
    expect(extra?.history).toBeUndefined();
  });

  it("brings along the history of a one-off conversation", () => {
    const { extra } = taken(
      chat([
        { role: "user", content: "one" },
        { role: "assistant", content: "two" },
        { role: "user", content: "three" },
      ]),
    );
    expect(extra?.history).toEqual([
      { role: "user", content: [{ type: "text", text: "one" }] },
      { role: "assistant", content: [{ type: "text", text: "two" }] },
    ]);
  });

  it("prefers the header that names a session", () => {
    const body = chat([{ role: "user", content: "x" }], { user: "ada" });
    expect(taken(body, { "x-pagurus-session-key": "bea" }).message?.route.conversation).toBe("bea");
  });

  // B81
  it("uses system and developer text for this call only", () => {
    const { message, extra } = taken(
      chat([
        { role: "system", content: "Be brief." },
        { role: "developer", content: [{ type: "text", text: "Be kind." }] },
        { role: "user", content: "x" },
      ]),
    );
    expect(extra?.instructions).toBe("Be brief.\n\nBe kind.");
    expect(message?.text).toBe("x");
  });

  // B81
  it("takes a picture without words", () => {
    const url = "data:image/png;base64,iVBORw0KGgo=";
    const { message } = taken(
      chat([{ role: "user", content: [{ type: "image_url", image_url: { url } }] }]),
    );
    expect(message?.attachments).toEqual([{ kind: "image", ref: url }]);
  });

  // B81, B77
  it.each([
    [chat([{ role: "user", content: [] }]), "empty"],
    [chat([{ role: "user", content: "  " }]), "empty"],
    [chat([]), "messages: there is none"],
    [
      chat([
        { role: "user", content: "x" },
        { role: "assistant", content: "y" },
      ]),
      "user",
    ],
    [chat([{ role: "robot", content: "x" }]), "messages"],
    [chat([{ role: "user", content: "x" }], { n: 2 }), "n:"],
    [chat([{ role: "user", content: "x" }], { tools: [{}] }), "tools"],
    [
      chat([
        {
          role: "user",
          content: [{ type: "image_url", image_url: { url: "http://127.0.0.1/x.png" } }],
        },
      ]),
      "image_url",
    ],
    ["{", "JSON"],
    ["null", "request"],
  ])("refuses %j and says why", (body, words) => {
    const result = parse(body);
    expect(result.ok).toBe(false);
    if (result.ok || typeof result.error === "string") throw new Error("no words");
    expect(result.error.message).toContain(words);
  });

  it("never throws, whatever the body is", () => {
    fc.assert(fc.property(fc.string(), (text) => void parse(text)));
    fc.assert(fc.property(fc.jsonValue(), (value) => void parse(value)));
    const loose = fc.record({ model: fc.string(), messages: fc.array(fc.jsonValue()) });
    fc.assert(fc.property(loose, (value) => void parse(value)));
  });
});
