import { expect, test, vi } from "vitest";
import { Conversation } from "./conversation.ts";

test("what was said is told page by page, and nothing of what was said with memory off", async () => {
  const talk = new Conversation();
  const say = async (text: string) => {
    const { seq } = await talk.stub.accept(talk.envelope(text));
    if (!text.startsWith("/")) await talk.turnOf(seq);
    else
      await vi.waitFor(() =>
        talk.inside(({ inbox }) => expect(inbox.get(seq)?.status).toBe("done")),
      );
  };
  await say("first sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789");
  await say("/new");
  await say("second");
  const newest = await talk.stub.historyPage({ limit: 2 });
  expect(newest?.lines.map(({ speaker, text }) => [speaker, text.slice(0, 6)])).toEqual([
    ["owner", "second"],
    ["you", expect.any(String)],
  ]);
  const older = await talk.stub.historyPage({ limit: 9, before: newest?.earlier ?? 0 });
  expect(older?.lines[0]).toMatchObject({ trust: "owner", speaker: "owner" });
  expect(older?.lines[0]?.text).toMatch(/^first /);
  expect(JSON.stringify(older)).not.toContain("abcdefgh");
  expect(older?.earlier).toBeNull();

  await say("/memory off");
  await say("hidden");
  expect(await talk.stub.historyPage({ limit: 9 })).toBeNull();
  await say("/memory on");
  const after = JSON.stringify(await talk.stub.historyPage({ limit: 50 }));
  expect(after).toContain("second");
  expect(after).not.toContain("hidden");
});
