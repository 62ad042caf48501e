import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach } from "vitest";
import { ok, type Result } from "#contract/result.ts";
import { createConversation } from "#cli/conversation.ts";
import { runTerminal } from "#cli/terminal.ts";
import { GatewayServer } from "#test/doubles/gateway-server.ts";
import type { createLatch } from "#test/harness/latch.ts";
import { eventually } from "#test/harness/wait.ts";
import { newCode } from "#test/harness/words.ts";

/**
 * The chat at a terminal: keys in, characters out, a gateway on loopback behind it. What is exported
 * follows the test that runs.
 */
const token = newCode(20);
export const gateway = new GatewayServer(token);
export const ctrlC = "\u0003";
export const ctrlD = "\u0004";
export let keys: PassThrough;
export let output: PassThrough;
export let screen = "";
export let left: Promise<void>;
export let hasLeft = false;
let exported: () => Promise<Result<string, string>>;

/** Each test of the file that calls it has a chat of its own. */
export function chatForEachTest(): void {
  beforeEach(async () => {
    const url = await gateway.start();
    const conversation = createConversation({
      target: { url, token, tokenFrom: "file" },
      session: "terminal",
      model: "pagurus",
      patienceMs: 0,
    });
    keys = new PassThrough();
    output = new PassThrough();
    screen = "";
    output.on("data", (chunk: Buffer) => (screen += chunk.toString("utf8")));
    hasLeft = false;
    exported = () => Promise.resolve(ok("/nowhere"));
    left = runTerminal({
      conversation,
      input: keys,
      output,
      absentText: "nobody is there",
      exportFile: () => exported(),
    }).then(() => {
      hasLeft = true;
    });
  });

  afterEach(async () => {
    keys.end();
    await left;
    await gateway.stop();
    gateway.messages.length = 0;
    gateway.script = () => ({ pieces: ["ok"] });
  });
}

export function exportGives(saved: Result<string, string>): void {
  exported = () => Promise.resolve(saved);
}

export function sent(): string[] {
  return gateway.messages.map(({ text }) => text);
}

/** Lines on the screen, without what moves the cursor. */
export function lines(): string[] {
  return stripVTControlCharacters(screen).split(/\r?\n|\r/);
}

export async function promptAfter(text: string): Promise<void> {
  await eventually(() => lines().lastIndexOf("› ") > lines().findIndex((l) => l.includes(text)));
}

/** Holds an answer back from its second piece on. */
export function gate(piece: number, latch: ReturnType<typeof createLatch>): Promise<void> | void {
  return piece === 1 ? undefined : latch.pass();
}
