import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createConversation, type Conversation } from "#cli/conversation.ts";
import { GatewayServer } from "#test/doubles/gateway-server.ts";
import { createLatch, type Latch } from "#test/harness/latch.ts";
import { newCode, newWord } from "#test/harness/words.ts";

/** What the chat does with answers, errors and broken connections, over real HTTP. */
const token = newCode(20);
const gateway = new GatewayServer(token);
let url = "";

beforeEach(async () => {
  url = await gateway.start();
});

afterEach(async () => {
  await gateway.stop();
  gateway.clear();
  gateway.messages.length = 0;
});

function conversation(
  options: { token?: string; session?: string; patienceMs?: number } = {},
): Conversation {
  return createConversation({
    target: { url, token: options.token ?? token, tokenFrom: "environment" },
    session: options.session ?? "terminal",
    model: "pagurus",
    patienceMs: options.patienceMs ?? 5_000,
  });
}

/** Asks, and opens `seen` as soon as there is some text. */
async function ask(
  text: string,
  options: Parameters<typeof conversation>[0] = {},
  seen = createLatch(),
) {
  const pieces: string[] = [];
  let lost = 0;
  const listener = {
    text: (more: string) => {
      pieces.push(more);
      seen.open();
    },
    lost: () => (lost += 1),
  };
  const outcome = await conversation(options).ask(text, listener);
  return { outcome, pieces, text: pieces.join(""), lost };
}

describe("an answer", () => {
  test("comes in the pieces in which it is written", async () => {
    const pieces = [newWord(), newWord(), newWord()];
    gateway.script = () => ({ pieces });
    expect(await ask("hello")).toMatchObject({ outcome: { status: "answered" }, pieces, lost: 0 });
  });

  test("belongs to the named conversation", async () => {
    const session = newWord();
    await ask("one", { session });
    await ask("two", { session });
    expect(gateway.messages.map(({ user }) => user)).toEqual([session, session]);
    expect(new Set(gateway.messages.map(({ key }) => key)).size).toBe(2);
  });

  test("that fails is told in the assistant's own words", async () => {
    const [piece, failure] = [newWord(), newWord()];
    gateway.script = () => ({ pieces: [piece], failure });
    expect(await ask("hello")).toMatchObject({
      outcome: { status: "failed", message: failure },
      text: piece,
    });
  });
});

/** The first piece goes out; the second waits until the first has arrived. */
function cutOnceSeen(seen: Latch): (piece: number) => Promise<void> | void {
  return (piece) => (piece === 1 ? undefined : seen.pass());
}

describe("a broken connection", () => {
  test("asks again under the same key and shows only what is missing", async () => {
    const pieces = [newWord(), newWord(), newWord()];
    const seen = createLatch();
    gateway.script = () => ({ pieces, cutAfter: 1, gate: cutOnceSeen(seen) });
    expect(await ask("hello", {}, seen)).toMatchObject({
      outcome: { status: "answered" },
      text: pieces.join(""),
      lost: 1,
    });
    const [first, second] = gateway.messages;
    expect(first?.stream).toBe(true);
    expect(second).toMatchObject({ stream: false, text: "hello", key: first?.key });
  });

  test("shows an answer that was made anew below what is already there", async () => {
    const [old, anew] = [newWord(), newWord()];
    const seen = createLatch();
    gateway.script = ({ stream }) =>
      stream
        ? { pieces: [old, "never"], cutAfter: 1, gate: cutOnceSeen(seen) }
        : { pieces: [anew] };
    expect((await ask("hello", {}, seen)).text).toBe(`${old}\n${anew}`);
  });

  test("is given up after a while, with a way to the answer", async () => {
    gateway.gate = ({ phase, index }) =>
      phase === "received" && index > 0 ? gateway.stop() : undefined;
    const { outcome } = await ask("hello", { patienceMs: 0 });
    expect(outcome).toMatchObject({ status: "failed" });
    expect(outcome).toHaveProperty("message", expect.stringContaining("/again"));
    gateway.gate = () => {};
  });
});

describe("nobody there", () => {
  test("is known at once, and nothing was sent", async () => {
    await gateway.stop();
    expect((await ask("hello")).outcome).toEqual({ status: "absent" });
  });
});

describe("a wrong token", () => {
  test("is told without the token", async () => {
    const wrong = newCode(20);
    const { outcome } = await ask("hello", { token: wrong });
    expect(outcome).toMatchObject({ status: "failed" });
    expect(JSON.stringify(outcome)).toContain("GATEWAY_TOKEN of your environment");
    expect(JSON.stringify(outcome)).not.toContain(wrong);
  });
});

describe("leaving", () => {
  test("ends the wait for an answer", async () => {
    const latch = createLatch();
    gateway.script = () => ({ pieces: ["late"], gate: () => latch.pass() });
    const leaving = new AbortController();
    const asked = conversation().ask("hello", { text: () => {} }, leaving.signal);
    await latch.reached;
    leaving.abort();
    await asked;
    latch.open();
    expect(gateway.messages).toHaveLength(1);
  });
});
