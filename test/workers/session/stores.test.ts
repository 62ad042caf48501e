import { describe, expect, test } from "vitest";
import type { InboundMessage } from "#contract/message.ts";
import { Conversation } from "./conversation.ts";

/** The tables of a session on their real SQLite. */
describe("the inbox", () => {
  function rowOf(message: InboundMessage, instructions: string) {
    return {
      deliveryKey: "d",
      identityKey: "i",
      kind: "message",
      status: "waiting",
      message,
      extra: { instructions },
      contentHash: null,
      receivedAt: 0,
      notBefore: 0,
    } as const;
  }

  test("refuses a row whose parts have room one by one but not together", async () => {
    const talk = new Conversation();
    await talk.inside(({ inbox }) => {
      const half = "天".repeat(330_000);
      const { message } = talk.envelope(half);
      expect(() => inbox.insert(rowOf(message, half))).toThrow(/does not fit a row/);
      expect(inbox.insert(rowOf(message, "short"))).toBe(1);
    });
  });
});
