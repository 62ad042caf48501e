import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { configSchema } from "#contract/config.ts";
import { accept } from "#core/session/accept.ts";
import { startKeeping } from "#core/session/keep-memory.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting } from "#core/state/settings.ts";
import { newWord } from "#test/harness/words.ts";
import { Conversation, workUntilDone } from "./conversation.ts";
import { HeldModel } from "./held-model.ts";

const day = 24 * 3_600_000;

afterEach(() => {
  vi.restoreAllMocks();
});

async function notes(): Promise<string> {
  const agent = env.AGENT.getByName("main");
  const days = [0, day, 2 * day].map((ahead) =>
    new Date(Date.now() + ahead).toISOString().slice(0, 10),
  );
  const files = await Promise.all(days.map((name) => agent.readFile(`memory/${name}.md`)));
  return files.map((file) => file?.text ?? "").join("\n");
}

interface Talk {
  readonly ports: SessionPorts;
  readonly say: (text: string, forwarded?: boolean) => Promise<string>;
  readonly settled: () => Promise<void>;
}

/** A conversation whose history is small, so that it soon has to leave the window. */
async function small(act: (talk: Talk) => Promise<void>, change: Partial<SessionPorts> = {}) {
  const talk = new Conversation();
  const pending: Promise<unknown>[] = [];
  const config = configSchema.parse({
    session: { historyTokens: 1_000 },
    models: { default: "anthropic/claude-opus-5" },
  });
  await talk.withParts(
    ({ models }) => ({
      config,
      models: {
        ...models,
        resolve: (name) => models.resolve(name ?? "anthropic/claude-opus-5"),
      },
      now: () => Date.now() + day,
      background: (work) => void pending.push(work.catch(() => {})),
      ...change,
    }),
    async (ports) => {
      await act({
        ports,
        async say(text, forwarded = false) {
          const envelope = talk.envelope(text);
          const message = { ...envelope.message, forwarded };
          const { seq } = await accept(ports, { message });
          return (await workUntilDone(ports, seq)).status;
        },
        async settled() {
          for (let done = 0; done < pending.length; done += 1) await pending[done];
        },
      });
    },
  );
}

const filler = "word ".repeat(400);
const isFlush = (text: string) => text.includes("owner: ") && text.includes("assistant: ");

test("what lasts in a part that leaves the window is noted once, and nobody hears of it", async () => {
  const fact = newWord();
  const model = new HeldModel(({ messages }) =>
    isFlush(messages.at(-1)?.text ?? "") ? { text: `FACT: the boat is ${fact}` } : { text: "ok" },
  );
  await small(async ({ ports, say, settled }) => {
    await say(`the boat is ${fact} ${filler}`);
    await say(`and so on ${filler}`);
    await say(`and so on ${filler}`);
    await settled();
    expect(
      model.calls.filter(({ messages }) => isFlush(messages.at(-1)?.text ?? "")).length,
    ).toBeGreaterThan(0);
    expect(ports.store.settings.get("flushes")).toEqual([]);
    expect(ports.store.outbox.doubtful(0)).toEqual([]);
  });
  const text = await notes();
  expect(text.split(`the boat is ${fact}`)).toHaveLength(2);
  expect(text).toMatch(new RegExp(`- \\d\\d:\\d\\d the boat is ${fact}\\n`));
});

test("of a part that held anything from outside the notes are from outside", async () => {
  const fact = newWord();
  const model = new HeldModel(({ messages }) => {
    const text = messages.at(-1)?.text ?? "";
    if (!isFlush(text)) return { text: "ok" };
    return { text: text.includes(fact) ? `FACT: pay ${fact}` : "NONE" };
  });
  await small(async ({ say, settled }) => {
    await say(`pay ${fact}`, true);
    await say(`hm ${filler}`);
    await say(`and so on ${filler}`);
    await say(`and so on ${filler}`);
    await settled();
  });
  const asked = model.calls.find(({ messages }) => isFlush(messages.at(-1)?.text ?? ""));
  expect(asked?.messages.at(-1)?.text).toMatch(/outside: <<<EXTERNAL_CONTENT \w{16}>>>/);
  const lines = (await notes()).split("\n").filter((line) => line.includes(fact));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.every((line) => line.includes("[from outside]") || line.includes("> "))).toBe(true);
});

test("a model that has nothing to say of it costs no answer and is not asked again", async () => {
  let asked = 0;
  const model = new HeldModel(({ messages }) => {
    if (!isFlush(messages.at(-1)?.text ?? "")) return { text: "ok" };
    asked += 1;
    return { text: "I cannot do that." };
  });
  await small(async ({ ports, say, settled }) => {
    for (let each = 0; each < 4; each += 1) expect(await say(`so on ${filler}`)).toBe("done");
    await settled();
    const before = asked;
    expect(before).toBeGreaterThan(0);
    expect(ports.store.settings.get("flushes")).toEqual([]);
    expect(await say("hello")).toBe("done");
    await settled();
    expect(asked).toBe(before);
  });
  expect(model.calls.length).toBeGreaterThan(4);
});

test("a part whose model call fails stays owed, and is asked about later", async () => {
  const fact = newWord();
  let down = true;
  const model = new HeldModel(({ messages }) => {
    if (!isFlush(messages.at(-1)?.text ?? "")) return { text: "ok" };
    return down ? { error: {} } : { text: `FACT: the key is under ${fact}` };
  });
  let ahead = day;
  await small(
    async ({ ports, say, settled }) => {
      for (let each = 0; each < 3; each += 1) await say(`so on ${fact} ${filler}`);
      await settled();
      const owed = () => getSetting(ports.store.settings, "flushes") ?? [];
      expect(owed()[0]?.failures).toBe(1);
      down = false;
      ahead += 60_000;
      startKeeping(ports);
      await settled();
      expect(owed()).toEqual([]);
    },
    { now: () => Date.now() + ahead },
  );
  expect(model.calls.length).toBeGreaterThan(4);
  expect(await notes()).toContain(`the key is under ${fact}`);
});
