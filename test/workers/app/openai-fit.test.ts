import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { AcceptExtra } from "#contract/inbox.ts";
import type { Attachment, ParsedMessage } from "#contract/message.ts";
import { jsonBytes } from "#kit/text/json-bytes.ts";
import { ROW_LIMIT_BYTES } from "#platform/session/row-limit.ts";
import { fitRow } from "#app/openai-fit.ts";

/** Requests of any size become rows that have room in storage, which refuses 2 MB. */
const route = { channel: "api", account: "default", conversation: "u", kind: "direct" } as const;

function messageOf(text: string, attachments: Attachment[] = []): ParsedMessage {
  return {
    channel: "api",
    account: "default",
    route,
    sender: { id: "u", name: "API" },
    text,
    attachments,
    forwarded: false,
    mentionsSelf: true,
    deliveryId: "d",
    platformMessageId: "d",
    sentAt: 0,
  };
}

async function fit(message: ParsedMessage, extra: AcceptExtra = {}) {
  const fitted = await fitRow(env, "main", message, extra);
  if (!fitted.ok) throw new Error(fitted.error);
  return fitted.value;
}

describe.each([
  ["letters", "a"],
  ["Chinese", "天"],
  ["emoji", "🔥"],
  ["quotation marks", '"'],
  ["control characters", "\u0001"],
])("a request full of %s", (_what, letter) => {
  // Each part is as long as would pass if it were alone, and longer.
  test.each([90_000, 200_000, 700_000])("has room in a row: %i characters", async (length) => {
    const text = letter.repeat(length);
    const history = Array.from({ length: 12 }, (_, index) => ({
      role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: [{ type: "text" as const, text: letter.repeat(length / 10) }],
    }));
    const row = await fit(messageOf(text), { instructions: text, history });
    expect(jsonBytes(row)).toBeLessThan(ROW_LIMIT_BYTES - 200_000);
    expect(row.message.text.startsWith(letter.repeat(1_000))).toBe(true);
    const [file] = row.message.attachments;
    if (row.message.text !== text) {
      const stored = await env.FILES.get(file?.mediaKey ?? "");
      expect(await stored?.text()).toBe(text);
    }
  });
});

test("the newest part of a history is kept, and what is left out is said", async () => {
  const long = "天".repeat(150_000);
  const said = (text: string) => ({
    role: "user" as const,
    content: [{ type: "text" as const, text }],
  });
  const history = [said(`first ${long}`), said(`second ${long}`), said("third")];
  const { extra } = await fit(messageOf("hello"), { history });
  expect(extra.history).toHaveLength(3);
  expect(JSON.stringify(extra.history?.[0])).toContain("1 older messages");
  expect(extra.history?.slice(1)).toEqual(history.slice(1));
});

test("names and addresses that have no room are refused, not the bytes of a file", async () => {
  const file = (ref: string, name = "a.png"): Attachment => ({ kind: "image", ref, name });
  const inline = file(`data:image/png;base64,${"A".repeat(500_000)}`);
  expect((await fitRow(env, "main", messageOf("x", [inline]), {})).ok).toBe(true);
  const many = Array.from({ length: 100 }, () =>
    file(`https://x.example.org/${"a".repeat(3_000)}`),
  );
  expect(await fitRow(env, "main", messageOf("x", many), {})).toMatchObject({
    ok: false,
    error: expect.stringContaining("attachments"),
  });
});
