import { afterEach, expect, test, vi } from "vitest";
import { OutboxTable } from "#platform/session/outbox-store.ts";
import { Conversation } from "./conversation.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a send that breaks in the background is logged, and made by the alarm", async () => {
  const talk = new Conversation();
  const { seq } = await talk.stub.accept(talk.envelope("hello"));
  await talk.turnOf(seq);
  const claim = vi.spyOn(OutboxTable.prototype, "claim");
  claim.mockImplementationOnce(() => {
    throw new Error("the disk is away");
  });
  const logged = vi.spyOn(console, "error");
  await talk.stub.deliver({ kind: "interim", text: "from elsewhere" }, "key");
  await vi.waitFor(async () => {
    const rows = await talk.inside(({ outbox }) => outbox.withPrefix("deliver:key:"));
    expect(rows.map(({ status }) => status)).toEqual(["sent"]);
  });
  const lines = logged.mock.calls.map(([line]) => String(line));
  expect(lines).toContainEqual(expect.stringMatching(/background\.failed.*the disk is away/));
});
