import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import type { AgentPort } from "#contract/agent-port.ts";
import { ok } from "#contract/result.ts";
import { accept } from "#core/session/accept.ts";
import { handOverNow, memoryAt } from "#core/session/keep-memory.ts";
import { work } from "#core/session/work.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { MemoryDouble } from "#test/doubles/memory.ts";
import { newWord } from "#test/harness/words.ts";
import { Conversation, workUntilDone } from "./conversation.ts";

const day = 24 * 3_600_000;
const agent = env.AGENT.getByName("main");

async function notes(at = Date.now()): Promise<string> {
  const days = [at - day, at, at + day].map((each) => new Date(each).toISOString().slice(0, 10));
  const files = await Promise.all(days.map((name) => agent.readFile(`memory/${name}.md`)));
  return files.map((file) => file?.text ?? "").join("\n");
}

const times = (text: string, part: string) => text.split(part).length - 1;

/** Parts whose work beside the alarm can be waited for. */
function watched(ahead = day) {
  const pending: Promise<unknown>[] = [];
  const parts = {
    now: () => Date.now() + ahead,
    background: (work: Promise<unknown>) => void pending.push(work.catch(() => {})),
  };
  const settled = async () => {
    for (let done = 0; done < pending.length; done += 1) await pending[done];
  };
  return { parts, settled };
}

async function say(ports: SessionPorts, talk: Conversation, text: string) {
  const { seq } = await accept(ports, talk.envelope(text));
  return workUntilDone(ports, seq);
}

/** The embedded demo, taken for a model that knows something. */
function unscripted(models: SessionPorts["models"], name: string | undefined) {
  const model = models.resolve(name);
  if (!model.ok) return model;
  const { scripted: _scripted, ...info } = model.value.info;
  return ok({ ...model.value, info });
}

test("what an owner tells about themselves stands in the day's note, in their own words", async () => {
  const talk = new Conversation();
  const sister = newWord();
  const text = `hello. My sister is called ${sister}`;
  const { seq } = await talk.stub.accept(talk.envelope(text));
  await talk.turnOf(seq);
  await vi.waitFor(async () => {
    expect(await notes()).toMatch(
      new RegExp(`- \\d\\d:\\d\\d fact:\\n  > "My sister is called ${sister}"\\n`),
    );
  }, 10_000);
  // Once it is there, nothing is owed and nothing rings any more.
  await vi.waitFor(async () => {
    expect(await talk.inside(({ settings }) => settings.get("captureDue"))).toBeUndefined();
  }, 10_000);
});

test("is written once, whatever breaks off between the note and the mark that it was written", async () => {
  const talk = new Conversation();
  const city = newWord();
  const { parts, settled } = watched(0);
  let broken = 0;
  await talk.withParts(
    ({ agent: real }) => ({
      ...parts,
      agent: {
        ...real,
        memory: {
          ...real.memory,
          async note(request) {
            const receipt = await real.memory.note(request);
            if ((broken += 1) < 3) throw new Error("cut");
            return receipt;
          },
        },
      } satisfies AgentPort,
    }),
    async (ports) => {
      await say(ports, talk, `I live in ${city}`);
      await settled();
      expect(memoryAt(ports)).toBeGreaterThan(Date.now() + 10_000);
      await handOverNow(ports);
      await say(ports, talk, `I work in ${city}land`);
      await handOverNow(ports);
      expect(broken).toBeGreaterThanOrEqual(2);
    },
  );
  expect(times(await notes(), `"I live in ${city}"`)).toBe(1);
  expect(times(await notes(), `"I work in ${city}land"`)).toBe(1);
});

test("an agent that hangs delays no answer, and is given what it is owed later", async () => {
  const talk = new Conversation();
  const city = newWord();
  const { parts } = watched();
  await talk.withParts(
    ({ agent: real }) => ({
      ...parts,
      agent: {
        ...real,
        memory: { ...real.memory, note: () => new Promise<never>(() => {}) },
      },
    }),
    async (ports) => {
      const before = Date.now();
      expect(await say(ports, talk, `I live in ${city}`)).toMatchObject({ status: "done" });
      expect(await say(ports, talk, "hello")).toMatchObject({ status: "done" });
      expect(Date.now() - before).toBeLessThan(4_000);
      expect(ports.store.settings.get("captureDue")).toBe(true);
    },
  );
  const { parts: later, settled } = watched();
  await talk.withParts(
    () => later,
    async (ports) => {
      await say(ports, talk, "hello again");
      await settled();
      expect(ports.store.settings.get("captureDue")).toBeUndefined();
    },
  );
  expect(times(await notes(Date.now()), `"I live in ${city}"`)).toBe(1);
});

test("while memory is off nothing is kept, also not afterwards", async () => {
  const talk = new Conversation();
  const words = { before: newWord(), during: newWord(), after: newWord() };
  const { parts, settled } = watched();
  const memory = new MemoryDouble();
  await talk.withParts(
    ({ agent: real }) => ({ ...parts, agent: { ...real, memory } }),
    async (ports) => {
      await say(ports, talk, `I live in ${words.before}`);
      await command(ports, talk, "/memory off");
      await say(ports, talk, `I live in ${words.during}`);
      await handOverNow(ports);
      expect(JSON.stringify([...memory.lines.values()])).not.toContain(words.during);
      await command(ports, talk, "/memory on");
      await say(ports, talk, `I live in ${words.after}`);
      await handOverNow(ports);
      await settled();
    },
  );
  const said = JSON.stringify([...memory.lines.values()]);
  for (const text of [said, JSON.stringify(memory.notes)]) {
    expect(text).toContain(words.before);
    expect(text).not.toContain(words.during);
    expect(text).toContain(words.after);
  }
});

async function command(ports: SessionPorts, talk: Conversation, text: string) {
  await accept(ports, talk.envelope(text));
  await vi.waitFor(
    () => expect(ports.store.inbox.list("waiting", "command", 1)).toEqual([]),
    10_000,
  );
}

test("each line of a conversation is handed over once, over resets and failures", async () => {
  const talk = new Conversation();
  const { parts, settled } = watched();
  const memory = new MemoryDouble();
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  await talk.withParts(
    ({ agent: real }) => ({ ...parts, agent: { ...real, memory } }),
    async (ports) => {
      await say(ports, talk, "one");
      memory.fails = new Error("down");
      await handOverNow(ports);
      expect(memory.lines.size).toBe(0);
      memory.fails = null;
      await handOverNow(ports);
      expect([...memory.lines.values()].map(({ role }) => role)).toEqual(["user", "assistant"]);
      await command(ports, talk, "/new");
      await say(ports, talk, `two ${secret}`);
      await handOverNow(ports);
      await handOverNow(ports);
      await settled();
    },
  );
  const texts = [...memory.lines.values()].filter(({ role }) => role === "user");
  expect(texts.map(({ text }) => text.slice(0, 3))).toEqual(["one", "two"]);
  expect(JSON.stringify(texts)).not.toContain(secret);
  expect(texts.every(({ origin, id }) => origin.trust === "owner" && origin.message === id)).toBe(
    true,
  );
  const sent = memory.batches.flatMap(({ lines }) => lines.map(({ id }) => id));
  expect(new Set(sent).size).toBe(sent.length);
  expect(memory.batches[0]).toMatchObject({ sessionKey: talk.key, identity: "owner" });
});

test("fifty lines are handed over without being asked for", async () => {
  const talk = new Conversation();
  const { parts, settled } = watched();
  const memory = new MemoryDouble();
  await talk.withParts(
    ({ agent: real }) => ({ ...parts, agent: { ...real, memory } }),
    async (ports) => {
      for (let each = 0; each < 24; each += 1) await say(ports, talk, "hello");
      await settled();
      expect(memory.lines.size).toBe(0);
      await say(ports, talk, "hello");
      await settled();
      expect(memory.lines.size).toBe(50);
    },
  );
});

test("a reset notes what was said last", async () => {
  const talk = new Conversation();
  const word = newWord();
  const { parts, settled } = watched();
  await talk.withParts(
    ({ models }) => ({
      ...parts,
      models: { ...models, resolve: (name) => unscripted(models, name) },
    }),
    async (ports) => {
      // A card number that its check digit makes one; nobody's.
      await say(ports, talk, `hello ${word}, card 4111 1111 1111 1111`);
      await command(ports, talk, "/new");
      await say(ports, talk, "hello");
      await settled();
      expect(ports.store.settings.get("closings")).toEqual([]);
    },
  );
  const text = await notes(Date.now());
  expect(text).toMatch(
    new RegExp(
      `closing:\\n  > "hello ${word}, card \\[number removed\\]"\\n- \\d\\d:\\d\\d I answered: `,
    ),
  );
});

test("a conversation of one request keeps nothing", async () => {
  const city = newWord();
  const talk = new Conversation(`agent:main:api:once:${newWord()}`);
  const { parts, settled } = watched();
  await talk.withParts(
    () => parts,
    async (ports) => {
      await say(ports, talk, `I live in ${city}`);
      await handOverNow(ports);
      await settled();
    },
  );
  expect(await notes(Date.now())).not.toContain(city);
});

test("what was said a month ago is handed over before its turns are forgotten", async () => {
  const talk = new Conversation();
  const word = newWord();
  const { parts, settled } = watched();
  const memory = new MemoryDouble();
  let now = Date.now() + 86_400_000;
  await talk.withParts(
    ({ agent: real }) => ({ ...parts, now: () => now, agent: { ...real, memory } }),
    async (ports) => {
      const { id } = await say(ports, talk, `the plumber ${word} came`);
      await say(ports, talk, "thanks");
      now += 31 * 86_400_000;
      for (let each = 0; each < 3; each += 1) {
        await work(ports);
        await settled();
        now += 120_000;
      }
      expect(JSON.stringify([...memory.lines.values()])).toContain(word);
      expect(ports.store.turns.get(id)).toBeNull();
    },
  );
});
