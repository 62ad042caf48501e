import { expect, test } from "vitest";
import type { ModelMessage, UserPart } from "#contract/model.ts";
import { chatMessages } from "#kit/model/chat-messages.ts";
import type { ShownMedia } from "#kit/model/media-part.ts";
import { toolNames } from "#kit/model/wire-names.ts";

const names = toolNames(["add"]);
const system = [
  { text: "You help.", cacheBoundary: true },
  { text: " ", cacheBoundary: false },
];
const call = (id: string, raw: string) =>
  ({ type: "tool-call", id, name: "add", arguments: raw }) as const;
const failed = { callId: "a", name: "add", text: " ", isError: true };
const user = (...content: UserPart[]): ModelMessage => ({ role: "user", content });

const asked: ModelMessage[] = [
  user({ type: "text", text: "go" }),
  { role: "assistant", content: [{ type: "text", text: " " }, call("a", "[1]"), call("b", "{}")] },
  { role: "tool", results: [failed] },
];

test.each([null, ""] as const)(
  "a message that only calls has the content %j where that is wanted",
  (noText) => {
    expect(chatMessages(system, asked, { names, media: new Map(), noText })).toEqual([
      { role: "system", content: "You help." },
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: noText,
        tool_calls: [
          { id: "a", type: "function", function: { name: "add", arguments: '{"unparsed":"[1]"}' } },
          { id: "b", type: "function", function: { name: "add", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "(failed without a message)" },
      { role: "tool", tool_call_id: "b", content: "No result: the call was interrupted." },
    ]);
  },
);

test("a message without words or calls is left out, and those around it are one", () => {
  const silent: ModelMessage = {
    role: "assistant",
    content: [{ type: "thinking", text: "hm", provider: "x" }],
  };
  const messages = [
    user({ type: "text", text: "one" }),
    silent,
    user({ type: "text", text: "two" }),
  ];
  expect(chatMessages([], messages, { names, media: new Map(), noText: "" })).toEqual([
    { role: "user", content: "one\n\ntwo" },
  ]);
});

test("content is a plain string unless there is a picture or a file in it", () => {
  const part = (name: string): UserPart => ({
    type: "file",
    name,
    mimeType: "application/pdf",
    mediaKey: name,
  });
  const [pdf, text, image] = [part("p.pdf"), part("t.txt"), part("i.png")];
  const media = new Map<UserPart, ShownMedia>([
    [pdf, { kind: "pdf", name: "", base64: "AA==" }],
    [text, { kind: "text", text: "[file] words" }],
    [image, { kind: "image", mimeType: "image/png", base64: "AQ==" }],
  ]);
  const wire = (...content: UserPart[]) =>
    chatMessages([], [user(...content)], { names, media, noText: null })[0]?.content;
  expect(wire({ type: "text", text: "see" }, text)).toBe("see\n\n[file] words");
  expect(wire({ type: "text", text: "see" }, pdf, image)).toEqual([
    { type: "text", text: "see" },
    {
      type: "file",
      file: { filename: "document.pdf", file_data: "data:application/pdf;base64,AA==" },
    },
    { type: "image_url", image_url: { url: "data:image/png;base64,AQ==" } },
  ]);
});
