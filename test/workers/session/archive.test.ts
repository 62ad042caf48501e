import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { Conversation } from "./conversation.ts";

/** What becomes of an ended conversation: it goes to R2, page by page, however often that fails. */
const minute = 60_000;

afterEach(() => {
  vi.restoreAllMocks();
});

function breakR2() {
  const bucket = Object.getPrototypeOf(env.FILES) as R2Bucket;
  return vi.spyOn(bucket, "put").mockRejectedValue(new Error("R2 is away"));
}

async function archived(talk: Conversation): Promise<string[]> {
  const prefix = `agents/main/sessions/${encodeURIComponent(talk.key)}/`;
  const { objects } = await env.FILES.list({ prefix });
  return Promise.all(
    objects.map(async ({ key }) => (await (await env.FILES.get(key))?.text()) ?? ""),
  );
}

const alarmOf = (talk: Conversation) => talk.inside((_store, { storage }) => storage.getAlarm());

/** With memory off: what an ended conversation owes the memory is put into R2, too. */
async function endedConversation(): Promise<Conversation> {
  const talk = new Conversation();
  await talk.stub.accept(talk.envelope("/memory off"));
  const { seq } = await talk.stub.accept(talk.envelope("the first words"));
  await talk.turnOf(seq);
  await talk.stub.accept(talk.envelope("/new"));
  return talk;
}

test("a conversation that ended is written to R2, and the next one is not", async () => {
  const talk = await endedConversation();
  await vi.waitFor(async () => expect(await archived(talk)).toHaveLength(1), 10_000);
  const { seq } = await talk.stub.accept(talk.envelope("the second words"));
  await talk.turnOf(seq);
  const [text = ""] = await archived(talk);
  const [header, ...entries] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(header).toMatchObject({ type: "pagurus.session", sessionKey: talk.key, part: 1 });
  expect(entries.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(text).toContain("the first words");
  expect(text).not.toContain("the second words");
});

test("while R2 is away, it is tried again by itself, later each time", async () => {
  const put = breakR2();
  const talk = await endedConversation();
  const retryAt = async (failures: number) =>
    vi.waitFor(async () => {
      expect(put).toHaveBeenCalledTimes(failures);
      const alarm = (await alarmOf(talk)) ?? 0;
      expect(alarm).toBeGreaterThan(Date.now() + minute / 2);
      return alarm;
    }, 10_000);
  const first = await retryAt(1);
  expect(first).toBeLessThanOrEqual(Date.now() + minute);
  // It has something to do: whoever asks must not forget it.
  expect(await talk.stub.wake("sweep")).toMatchObject({ idle: false });

  const clock = vi.spyOn(Date, "now").mockReturnValue(first);
  await runDurableObjectAlarm(talk.stub);
  const second = await retryAt(2);
  expect(second).toBe(first + 4 * minute);
  expect(await archived(talk)).toEqual([]);

  // A clock that was set back puts it off no further.
  clock.mockReturnValue(first - 24 * 60 * minute);
  await runDurableObjectAlarm(talk.stub);
  expect(put).toHaveBeenCalledTimes(3);

  put.mockRestore();
  clock.mockReturnValue(second);
  await runDurableObjectAlarm(talk.stub);
  expect(await archived(talk)).toEqual([expect.stringContaining("the first words")]);
  expect(await talk.stub.wake("sweep")).toMatchObject({ idle: true });
});
