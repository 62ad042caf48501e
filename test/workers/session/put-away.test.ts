import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import type { SessionStore } from "#contract/session-store.ts";
import type { NewTranscriptEntry } from "#contract/transcript.ts";
import { exportLines } from "#core/session/export-lines.ts";
import { putAwayPart } from "#core/session/put-away.ts";
import { work } from "#core/session/work.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { Conversation } from "./conversation.ts";
import { standingClock } from "./standing-clock.ts";

/** What of a long conversation moves to the archive, when, and who still reads it there. */
const day = 24 * 3_600_000;

const at = standingClock();

const alarmOf = (talk: Conversation) => talk.inside((_store, { storage }) => storage.getAlarm());
const stored = (talk: Conversation) =>
  talk.inside(({ transcript }) => transcript.page(0, 2_000).map(({ seq }) => seq));
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function parts(talk: Conversation): Promise<{ name: string; text: string }[]> {
  const prefix = `agents/main/sessions/${encodeURIComponent(talk.key)}/parts/`;
  const { objects } = await env.FILES.list({ prefix });
  return Promise.all(
    objects.map(async ({ key }) => ({
      name: key.slice(prefix.length),
      text: (await (await env.FILES.get(key))?.text()) ?? "",
    })),
  );
}

/** Numbers of the entries of the whole export, in its order. */
async function exported(talk: Conversation): Promise<number[]> {
  const stream = await talk.stub.exportTranscript();
  const lines = (await new Response(stream).text()).trim().split("\n");
  return lines.slice(1).map((line) => JSON.parse(line).seq);
}

interface Past {
  readonly count: number;
  readonly at: number;
  readonly sessionId?: string;
  readonly text?: string;
}

/** Entries of a context that has ended, as a year of talk leaves them. */
function live(talk: Conversation, { count, at: time, sessionId = "ended", text = "word" }: Past) {
  return talk.inside((store) => {
    store.transaction(() => {
      for (let index = 0; index < count; index += 1) {
        const number = store.transcript.latestSeq() + 1;
        const entry: NewTranscriptEntry = {
          sessionId,
          turnId: null,
          at: time,
          role: "user",
          trust: "owner",
          tokens: 3,
          content: [{ type: "text", text: `${text} ${number}` }],
          author: { name: "Ada", isOwner: true, showName: false },
        };
        store.transcript.append(entry);
      }
    });
  });
}

/** A message that is answered and that the memory has; then nothing is open any more. */
async function say(talk: Conversation, text: string): Promise<void> {
  const { seq } = await talk.stub.accept(talk.envelope(text));
  await talk.turnOf(seq);
  await talk.stub.handOver();
  await rest(talk);
}

async function rest(talk: Conversation): Promise<void> {
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(talk.stub);
    const alarm = await alarmOf(talk);
    if (alarm !== null && alarm < Date.now() + 3_600_000) throw new Error("not at rest");
  }, 15_000);
}

const small = (megabytes: number) => (ports: SessionPorts) => {
  const { session } = ports.config;
  const retention = { ...session.retention, megabytes };
  return { config: { ...ports.config, session: { ...session, retention } } };
};

test("what is older than thirty days leaves once it is in R2; what the next answer needs stays", async () => {
  const talk = new Conversation();
  const start = Date.now();
  await live(talk, { count: 4, at: start });
  await live(talk, { count: 2, at: start + 20 * day });
  await say(talk, "hello there");
  expect(await stored(talk)).toEqual(numbers(1, 8));
  // It comes by itself.
  expect(await alarmOf(talk)).toBe(start + 30 * day);

  at(start + 31 * day);
  await rest(talk);
  expect(await stored(talk)).toEqual(numbers(5, 8));
  const [part] = await parts(talk);
  expect(part?.name).toBe("000000000001.jsonl");
  const [header, ...lines] = (part?.text ?? "").trim().split("\n");
  expect(JSON.parse(header ?? "")).toMatchObject({
    type: "pagurus.session",
    sessionKey: talk.key,
    from: 1,
    until: 4,
  });
  expect(lines).toHaveLength(4);

  // The window is as old, and stays: there is nothing more to wake up for.
  at(start + 90 * day);
  await rest(talk);
  expect(await stored(talk)).toEqual([7, 8]);
  expect(await alarmOf(talk)).toBeNull();
  expect(await exported(talk)).toEqual(numbers(1, 8));
  expect(await parts(talk)).toHaveLength(2);
});

test("killed between the copy and the deletion, it loses nothing and has nothing twice", async () => {
  const talk = new Conversation();
  const start = Date.now();
  await live(talk, { count: 3, at: start });
  await say(talk, "hello");
  await live(talk, { count: 2, at: start + day });
  at(start + 40 * day);
  const killed = vi.fn(() => Promise.reject(new Error("killed")));
  const put = async (ports: SessionPorts, first: number, text: string) => {
    await ports.parts.put(first, text);
    return killed();
  };
  await talk.withParts(
    (real) => ({ parts: { ...real.parts, put: (first, text) => put(real, first, text) } }),
    work,
  );
  expect(killed).toHaveBeenCalledOnce();
  expect(await parts(talk)).toHaveLength(1);
  expect(await stored(talk)).toEqual(numbers(1, 7));
  expect(await exported(talk)).toEqual(numbers(1, 7));

  at(start + 41 * day);
  await rest(talk);
  expect(await stored(talk)).toEqual(numbers(4, 7));
  expect(await parts(talk)).toHaveLength(1);
  expect(await exported(talk)).toEqual(numbers(1, 7));
});

test("a transcript that is too large gives away its oldest part, however young, and no more", async () => {
  const talk = new Conversation();
  await live(talk, { count: 700, at: Date.now(), text: "x".repeat(1_000) });
  await say(talk, "hello");
  expect(await stored(talk)).toHaveLength(702);
  await talk.withParts(small(0.5), work);
  expect(await stored(talk)).toEqual(numbers(501, 702));
  await talk.withParts(small(0.5), work);
  expect(await stored(talk)).toEqual(numbers(501, 702));
  expect(await exported(talk)).toEqual(numbers(1, 702));
});

test("all parts are read as its history, page by page, but for one that is damaged, and what is archived is called so", async () => {
  const talk = new Conversation();
  await live(talk, { count: 2_050, at: Date.now() });
  await say(talk, "hello");
  const away = small(0.000_001);
  for (let run = 0; run < 5; run += 1) await talk.withParts(away, work);
  expect(await stored(talk)).toEqual([2_051, 2_052]);
  expect((await parts(talk)).map(({ name }) => Number(name.slice(0, 12)))).toEqual([
    1, 501, 1_001, 1_501, 2_001,
  ]);
  const history = async () => {
    const read: number[] = [];
    for (let before: number | null | undefined; before !== null;) {
      const page = await talk.stub.historyPage({ limit: 50, ...(before ? { before } : {}) });
      read.unshift(...(page?.lines.map(({ seq }) => seq) ?? []));
      before = page?.earlier ?? null;
      expect(page?.archived ?? false).toBe(before !== null);
    }
    return read;
  };
  expect(await history()).toEqual(numbers(1, 2_052));
  expect(await exported(talk)).toEqual(numbers(1, 2_052));
  const second = `agents/main/sessions/${encodeURIComponent(talk.key)}/parts/000000000501.jsonl`;
  await env.FILES.put(second, "damaged");
  expect(await history()).toEqual([...numbers(1, 500), ...numbers(1_001, 2_052)]);
});

test("what moves while somebody exports is exported all the same", async () => {
  const talk = new Conversation();
  await live(talk, { count: 1_700, at: Date.now() });
  await say(talk, "hello");
  const text = await talk.withParts(
    () => ({}),
    async (ports) => {
      let read = "";
      for await (const page of exportLines(ports)) {
        read += page;
        await putAwayPart(ports, true);
      }
      return read;
    },
  );
  expect(await stored(talk)).toEqual([1_701, 1_702]);
  const lines = text.trim().split("\n").slice(1);
  expect(lines.map((line) => JSON.parse(line).seq)).toEqual(numbers(1, 1_702));
});

test.each([
  ["its key", (talk: Conversation) => talk.key.toUpperCase()],
  ["its address", (talk: Conversation) => `api:${talk.name}`],
])("nothing of a conversation that is pinned by %s is put away", async (_what, nameOf) => {
  const talk = new Conversation();
  const start = Date.now();
  await live(talk, { count: 3, at: start });
  await say(talk, "hello");
  at(start + 40 * day);
  const pinned = ({ config }: SessionPorts) => {
    const retention = { ...config.session.retention, pinned: [nameOf(talk)] };
    return { config: { ...config, session: { ...config.session, retention } } };
  };
  await talk.withParts(pinned, work);
  expect(await stored(talk)).toEqual(numbers(1, 5));
  await rest(talk);
  expect(await stored(talk)).toEqual([4, 5]);
});

test.each([
  [
    "a question waits for its answer",
    ({ turns }: SessionStore) => {
      const turn = turns.latest();
      if (!turn) throw new Error("there was no turn");
      const since = Date.now();
      const parked = { position: 1, question: "which?", since, expiresAt: since + day };
      turns.update(turn.id, { status: "parked", detail: { ...turn.detail, parked } });
    },
  ],
  [
    "an answer is not delivered",
    ({ outbox }: SessionStore) => {
      const route = {
        channel: "gone",
        account: "default",
        conversation: "1",
        kind: "direct",
      } as const;
      const part = { payload: {}, text: "later" };
      outbox.insert({ key: "k", turnId: null, kind: "final", mode: "send", route, part });
    },
  ],
])("while %s, nothing leaves", async (_what, wait) => {
  const talk = new Conversation();
  const start = Date.now();
  await live(talk, { count: 3, at: start });
  await say(talk, "hello");
  at(start + 40 * day);
  await talk.inside(wait);
  await talk.withParts(() => ({}), work);
  expect(await stored(talk)).toEqual(numbers(1, 5));
});

test("a part that cannot be written stays where it is, and is tried again", async () => {
  const talk = new Conversation();
  const start = Date.now();
  await live(talk, { count: 3, at: start });
  await say(talk, "hello");
  at(start + 40 * day);
  const refused = () => Promise.reject(new Error("R2 is away"));
  await talk.withParts(({ parts: real }) => ({ parts: { ...real, put: refused } }), work);
  expect(await stored(talk)).toEqual(numbers(1, 5));
  expect(await alarmOf(talk)).toBe(start + 40 * day + 3_600_000);
  await rest(talk);
  expect(await stored(talk)).toEqual([4, 5]);
});
