import { describe, expect, it } from "vitest";
import type { ModelMessage, UserPart } from "#contract/model.ts";
import { toWire } from "#ext/anthropic/to-wire.ts";
import { requestOf, streamContext, user } from "#test/contract/provider-rig.ts";

async function messagesOf(messages: ModelMessage[], files = {}) {
  const request = requestOf("claude-sonnet-5-5", { messages });
  const { body } = await toWire(request, streamContext(undefined, files));
  return JSON.parse(
    JSON.stringify(body.messages).replaceAll(',"cache_control":{"type":"ephemeral"}', ""),
  ) as unknown;
}

describe("toWire", () => {
  // B33
  it("merges the results of parallel calls and what follows into one user message", async () => {
    const call = (id: string) =>
      ({ type: "tool-call", id, name: "add", arguments: `{"id":"${id}"}` }) as const;
    const result = (callId: string) => ({ callId, name: "add", text: callId, isError: false });
    const messages: ModelMessage[] = [
      user("go"),
      { role: "assistant", content: [call("a"), call("b"), call("c")] },
      { role: "tool", results: [result("c"), result("a")] },
      user("and more"),
    ];
    expect(await messagesOf(messages)).toEqual([
      { role: "user", content: [{ type: "text", text: "go" }] },
      {
        role: "assistant",
        content: ["a", "b", "c"].map((id) => ({
          type: "tool_use",
          id,
          name: "add",
          input: { id },
        })),
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "a" },
          {
            type: "tool_result",
            tool_use_id: "b",
            content: "No result: the call was interrupted.",
            is_error: true,
          },
          { type: "tool_result", tool_use_id: "c", content: "c" },
          { type: "text", text: "and more" },
        ],
      },
    ]);
  });

  it("shows a call that was no JSON object as the model wrote it", async () => {
    const call = (raw: string) =>
      ({ type: "tool-call", id: raw, name: "add", arguments: raw }) as const;
    const messages: ModelMessage[] = [
      user("go"),
      { role: "assistant", content: [call('{"a'), call("[1]"), call("")] },
      { role: "tool", results: [] },
    ];
    const wire = JSON.stringify(await messagesOf(messages));
    expect(wire).toContain('"input":{"unparsed":"{\\"a"}');
    expect(wire).toContain('"input":{"unparsed":"[1]"}');
    expect(wire).toContain('"input":{}');
  });

  it("begins with a user message and leaves out what says nothing", async () => {
    const thought = {
      type: "thinking",
      text: "hm",
      signature: "s",
      provider: "anthropic",
    } as const;
    const messages: ModelMessage[] = [
      { role: "assistant", content: [{ type: "text", text: "earlier" }] },
      user("one"),
      { role: "assistant", content: [thought] },
      user("two"),
    ];
    expect(await messagesOf(messages)).toEqual([
      { role: "user", content: [{ type: "text", text: "(continued)" }] },
      { role: "assistant", content: [{ type: "text", text: "earlier" }] },
      {
        role: "user",
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ],
      },
    ]);
  });

  it("sends PDF files as documents", async () => {
    const part: UserPart = {
      type: "file",
      mediaKey: "k",
      mimeType: "application/pdf",
      name: "bill.pdf",
    };
    const bytes = new TextEncoder().encode("%PDF-1.7");
    const files = { k: { bytes, mimeType: "application/pdf", name: "bill.pdf" } };
    expect(await messagesOf([{ role: "user", content: [part] }], files)).toEqual([
      {
        role: "user",
        content: [
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: btoa("%PDF-1.7") },
            title: "bill.pdf",
          },
        ],
      },
    ]);
  });

  it("sends nothing that current models refuse", async () => {
    const { body } = await toWire(requestOf("claude-opus-5-5"), streamContext());
    for (const field of ["temperature", "top_p", "tool_choice", "metadata"]) {
      expect(body).not.toHaveProperty(field);
    }
  });
});
