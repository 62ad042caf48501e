import { describe, expect, test } from "vitest";
import { createLatch } from "#test/harness/latch.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";
import {
  chatForEachTest,
  ctrlC,
  gate,
  gateway,
  keys,
  lines,
  output,
  promptAfter,
  screen,
  sent,
} from "./terminal-rig.ts";

chatForEachTest();

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

  test("a command in between leaves no blank where the answer goes on", async () => {
    const latch = createLatch();
    const [status, word] = [newWord(), newWord()];
    gateway.script = ({ text }) =>
      text === "one"
        ? { pieces: ["1 2", ` ${word} 4`], gate: (piece) => gate(piece, latch) }
        : { pieces: [status] };
    Object.assign(output, { columns: 40 });
    keys.write("one\r");
    await latch.reached;
    keys.write("/status\r");
    await eventually(() => lines().includes(status));
    latch.open();
    await promptAfter(word);
    expect(lines()).toContain(`2 ${word} 4`);
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
