import { describe, expect, test } from "vitest";
import { err, ok } from "#contract/result.ts";
import { createLatch } from "#test/harness/latch.ts";
import { eventually } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";
import {
  chatForEachTest,
  ctrlC,
  ctrlD,
  exportGives,
  gate,
  gateway,
  hasLeft,
  keys,
  left,
  lines,
  output,
  promptAfter,
  screen,
  sent,
} from "./terminal-rig.ts";

chatForEachTest();

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
    exportGives(ok(path));
    keys.write("/export\r");
    await promptAfter(`Saved to ${path}`);
    exportGives(err(why));
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

test.each(["/help", "/commands"])("%s names what only the chat knows, too", async (command) => {
  const list = newWord();
  gateway.script = () => ({ pieces: [list] });
  keys.write(`${command}\r`);
  await promptAfter(list);
  const below = lines().slice(lines().indexOf(list) + 1);
  expect(below.find((line) => line !== "")).toMatch(/\/quit leaves/);
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
    expect(screen).toContain("next time, /again shows the answer.");
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
