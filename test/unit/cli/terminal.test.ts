import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { err, ok, type Result } from "#contract/result.ts";
import { createConversation } from "#cli/conversation.ts";
import { runTerminal } from "#cli/terminal.ts";
import { GatewayServer } from "#test/doubles/gateway-server.ts";
import { createLatch } from "#test/harness/latch.ts";
import { eventually } from "#test/harness/wait.ts";
import { newCode, newWord } from "#test/harness/words.ts";

/** The chat at a terminal: keys in, characters out, a gateway on loopback behind it. */
const token = newCode(20);
const gateway = new GatewayServer(token);
const ctrlC = "\u0003";
const ctrlD = "\u0004";
let keys: PassThrough;
let output: PassThrough;
let screen = "";
let left: Promise<void>;
let hasLeft = false;
let exported: () => Promise<Result<string, string>>;

beforeEach(async () => {
  const url = await gateway.start();
  const conversation = createConversation({
    target: { url, token },
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

function sent(): string[] {
  return gateway.messages.map(({ text }) => text);
}

/** Lines on the screen, without what moves the cursor. */
function lines(): string[] {
  return stripVTControlCharacters(screen).split(/\r?\n|\r/);
}

async function promptAfter(text: string): Promise<void> {
  await eventually(() => lines().lastIndexOf("› ") > lines().findIndex((l) => l.includes(text)));
}

describe("a line", () => {
  test("is sent, and its answer shown before the next prompt", async () => {
    const [question, answer] = [newWord(), newWord()];
    gateway.script = () => ({ pieces: [answer.slice(0, 5), answer.slice(5)] });
    keys.write(`${question}\r`);
    await eventually(() => lines().includes(answer));
    await promptAfter(answer);
    expect(sent()).toEqual([question]);
  });

  test("/export saves a file and says where, and asks the assistant nothing", async () => {
    const [path, why] = [`/tmp/${newWord()} ${"x".repeat(200)}.jsonl`, newWord()];
    exported = () => Promise.resolve(ok(path));
    keys.write("/export\r");
    await promptAfter(`Saved to ${path}`);
    exported = () => Promise.resolve(err(why));
    keys.write("/export\r");
    await promptAfter(why);
    expect(sent()).toEqual([]);
  });

  test("that gets no answer is told so", async () => {
    gateway.script = () => ({ pieces: [""] });
    keys.write("psst\r");
    await eventually(() => lines().includes("(no answer)"));
  });

  test("is answered in lines that fit the terminal", async () => {
    const words = Array.from({ length: 12 }, () => newWord().slice(0, 8));
    const answer = words.join(" ");
    gateway.script = () => ({ pieces: [answer.slice(0, 21), answer.slice(21)] });
    Object.assign(output, { columns: 30 });
    keys.write("go on\r");
    await promptAfter(words.at(-1) ?? "");
    const shown = lines().filter((line) => words.some((word) => line.includes(word)));
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter((line) => line.length > 30)).toEqual([]);
    expect(shown.map((line) => line.trim()).join(" ")).toBe(answer);
  });

  test("that is blank is not sent", async () => {
    keys.write("   \r");
    await eventually(() => lines().filter((line) => line.startsWith("› ")).length >= 2);
    expect(sent()).toEqual([]);
  });

  test("that is a command goes to the assistant", async () => {
    keys.write("/status\r");
    await eventually(() => sent().length);
    expect(sent()).toEqual(["/status"]);
  });
});

describe("a paste of many lines", () => {
  test("is one message", async () => {
    keys.write("one\rtwo\r\rfour\r");
    await eventually(() => sent().length);
    expect(sent()).toEqual(["one\ntwo\n\nfour"]);
  });

  test("without Enter at its end waits for it", async () => {
    keys.write("one\rtwo");
    await eventually(() => screen.includes("two"));
    keys.write(" and a half\r");
    await eventually(() => sent().length);
    expect(sent()).toEqual(["one\ntwo and a half"]);
  });
});

describe("while an answer is written", () => {
  test("what is typed is shown below, and goes on at the next prompt", async () => {
    const latch = createLatch();
    gateway.script = () => ({ pieces: ["first", "last"], gate: (piece) => gate(piece, latch) });
    keys.write("question\r");
    await eventually(() => screen.includes("first"));
    keys.write("typed");
    await latch.reached;
    await eventually(() => screen.includes("\n› typed"));
    latch.open();
    // The editor draws it again, by its own means.
    await eventually(() => screen.includes("\u001b[0J› typed"));
    keys.write(" on\r");
    await eventually(() => sent().includes("typed on"));
    expect(sent()).toEqual(["question", "typed on"]);
  });

  test("a paste is drawn once, not once for each of its characters", async () => {
    const latch = createLatch();
    gateway.script = () => ({ pieces: ["first", "last"], gate: (piece) => gate(piece, latch) });
    keys.write("question\r");
    await latch.reached;
    await eventually(() => screen.includes("first"));
    const before = screen.length;
    keys.write("p".repeat(60));
    await eventually(() => screen.includes("p".repeat(60)));
    expect(screen.slice(before).match(/› p/g)).toHaveLength(1);
    latch.open();
  });

  test("a whole line is shown and sent at once, and an answer it shares is shown once", async () => {
    const latch = createLatch();
    const answer = newWord();
    gateway.script = ({ text }) =>
      text === "one"
        ? { pieces: ["so far. ", answer], gate: (piece) => gate(piece, latch) }
        : { pieces: [answer], gate: () => latch.pass() };
    keys.write("one\r");
    await latch.reached;
    keys.write("two\r");
    await eventually(() => sent().length === 2);
    expect(lines()).toContain("› two");
    latch.open();
    await promptAfter(answer);
    expect(screen.split(answer)).toHaveLength(2);
  });

  test("a line that gets an answer of its own has it below the first one", async () => {
    const latch = createLatch();
    gateway.script = ({ text }) =>
      text === "one"
        ? { pieces: ["1", "."], gate: (piece) => gate(piece, latch) }
        : { pieces: ["2"] };
    keys.write("one\r");
    await latch.reached;
    keys.write("two\r");
    await eventually(() => sent().length === 2);
    latch.open();
    await promptAfter("2");
    expect(lines().indexOf("2")).toBeGreaterThan(lines().indexOf("."));
  });

  test("a line that fails by itself is not passed over in silence", async () => {
    const latch = createLatch();
    const failure = newWord();
    gateway.script = ({ text }) =>
      text === "one"
        ? { pieces: ["1", "."], gate: (piece) => gate(piece, latch) }
        : { pieces: [], failure };
    keys.write("one\r");
    await latch.reached;
    keys.write("two\r");
    await eventually(() => sent().length === 2);
    latch.open();
    await promptAfter(failure);
  });

  test("a command is answered before the answer is done", async () => {
    const latch = createLatch();
    const status = newWord();
    gateway.script = ({ text }) =>
      text === "one"
        ? { pieces: ["1", "last"], gate: (piece) => gate(piece, latch) }
        : { pieces: [status] };
    keys.write("one\r");
    await latch.reached;
    keys.write("/status\r");
    await eventually(() => lines().includes(status));
    expect(screen).not.toContain("last");
    latch.open();
    await promptAfter("last");
  });

  test.each([ctrlC, "/stop\r"])("%j stops it", async (stop) => {
    const latch = createLatch();
    gateway.script = ({ text }) => {
      if (text === "/stop") latch.open();
      return {
        pieces: ["first", ""],
        ...(text === "/stop" ? {} : { gate: (p) => gate(p, latch) }),
      };
    };
    keys.write("question\r");
    await latch.reached;
    keys.write(stop);
    await eventually(() => lines().includes("Stopped."));
    expect(sent()).toEqual(["question", "/stop"]);
    await promptAfter("Stopped.");
  });
});

function gate(piece: number, latch: ReturnType<typeof createLatch>): Promise<void> | void {
  return piece === 1 ? undefined : latch.pass();
}

describe("leaving", () => {
  test.each(["/quit\r", "/exit\r", ctrlD])("with %j", async (way) => {
    keys.write(way);
    await left;
    expect(sent()).toEqual([]);
  });

  test("with Ctrl-C takes two, and the first one says so", async () => {
    keys.write(ctrlC);
    await eventually(() => screen.includes("/quit"));
    expect(hasLeft).toBe(false);
    keys.write(ctrlC);
    await left;
  });

  test("is not what Ctrl-C means over a typed line", async () => {
    keys.write("half a thought");
    await eventually(() => screen.includes("thought"));
    keys.write(ctrlC);
    keys.write("whole\r");
    await eventually(() => sent().length);
    expect(sent()).toEqual(["whole"]);
  });

  test.each(["/quit\r", ctrlD])("with %j does not wait for the answer", async (way) => {
    const latch = createLatch();
    gateway.script = () => ({ pieces: ["first", "last"], gate: (piece) => gate(piece, latch) });
    keys.write("question\r");
    await latch.reached;
    keys.write(way);
    await left;
    expect(screen).toContain("The answer will be there next time.");
    expect(screen).not.toContain("connection");
    latch.open();
  });
});

test("says when nobody is there, and goes on", async () => {
  await gateway.stop();
  keys.write("hello\r");
  await eventually(() => lines().includes("nobody is there"));
  await promptAfter("nobody is there");
});
