import { expect, test } from "vitest";
import type { InboxItem } from "#contract/inbox.ts";
import type { SendResult } from "#contract/channel.ts";
import { drain } from "#core/delivery/drain.ts";
import { prepare } from "#core/delivery/outbox.ts";
import { againChange } from "#core/session/command-again.ts";
import { LiveTurns } from "#core/state/live.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { newTurn } from "#test/contract/session-store-suite.ts";
import { MemorySessionStore } from "#test/doubles/session-store.ts";

/** What /again can do for words that had to wait for their channel before they went wrong. */
const route = { channel: "c", account: "default", conversation: "1", kind: "direct" } as const;
const DAY_MS = 86_400_000;

class Waiting {
  time = 1_000_000_000;
  isThere = true;
  result: SendResult = { status: "sent", messageId: "m" };
  readonly sent: string[] = [];
  readonly store = new MemorySessionStore(() => this.time);
  readonly ports: SessionPorts;

  constructor() {
    const channel = {
      render: ({ text }: { text: string }) => [{ payload: {}, text }],
      send: ({ text }: { text: string }) => {
        this.sent.push(text);
        return Promise.resolve(this.result);
      },
    };
    this.ports = {
      key: "k",
      store: this.store,
      bootId: "boot",
      live: new LiveTurns(),
      now: () => this.time,
      channel: () => (this.isThere ? channel : undefined),
      log: { info() {}, warn() {}, error() {} },
      timers: { after: () => () => {}, sleep: () => Promise.resolve() },
      background: (work: Promise<unknown>) => void work.catch(() => {}),
    } as unknown as SessionPorts;
    this.store.turns.insert(newTurn("t", { status: "done", endedAt: 1 }));
  }

  say(text: string): void {
    const message = { kind: "final", text } as const;
    prepare(this.ports, { key: "t:final", turnId: "t", message, route });
  }

  async after(days: number): Promise<void> {
    this.time += days * DAY_MS;
    await drain(this.ports);
  }

  async again(): Promise<string> {
    const change = await againChange(this.ports, { seq: 9 } as InboxItem);
    const { text } = change();
    await drain(this.ports);
    return text;
  }
}

test("an answer that waited two days and then may not have arrived is shown", async () => {
  const wait = new Waiting();
  wait.isThere = false;
  wait.say("the answer");
  await wait.after(2);
  expect(wait.sent).toEqual([]);
  wait.isThere = true;
  wait.result = { status: "unknown", reason: "cut" };
  await wait.after(0);
  wait.result = { status: "sent", messageId: "m" };
  await wait.after(0.5);
  expect(await wait.again()).toBe("");
  expect(wait.sent.filter((text) => text === "the answer")).toHaveLength(2);
});

test("an answer that was given up, because its channel stayed away, is tried once more", async () => {
  const wait = new Waiting();
  wait.isThere = false;
  wait.say("the answer");
  await wait.after(8);
  wait.isThere = true;
  await wait.after(0.5);
  expect(wait.sent).toEqual([expect.stringContaining("c is not set up")]);
  expect(await wait.again()).toBe("");
  expect(wait.sent.at(-1)).toBe("the answer");
});
