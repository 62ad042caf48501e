import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { awaitStart } from "#cli/await-start.ts";
import { claimState, livingNote, noteFile, noteUrl, type RunNote } from "#cli/run-note.ts";
import { eventually, temporaryDirectory } from "#test/harness/wait.ts";
import { standIn } from "./stand-in.ts";

/** Who may serve the state of this folder. */
let home: ReturnType<typeof temporaryDirectory>;
let other: ReturnType<typeof standIn>;

beforeEach(() => {
  home = temporaryDirectory();
  other = standIn();
});

afterEach(() => {
  other.kill();
  home.remove();
});

function leave(change: Partial<RunNote> = {}): RunNote {
  const note = { pid: other.pid ?? 0, port: 8790, phase: "ready", ...change } as const;
  expect(claimState(home.path, 1).ok).toBe(true);
  writeFileSync(noteFile(home.path), JSON.stringify(note));
  return note;
}

function written(): unknown {
  return JSON.parse(readFileSync(noteFile(home.path), "utf8"));
}

describe("the state", () => {
  test("is whose came first, and the note says who that is", () => {
    const claimed = claimState(home.path, 8787);
    expect(written()).toEqual({ pid: process.pid, port: 8787, phase: "starting" });
    if (claimed.ok) claimed.value.update({ port: 8788, phase: "ready" });
    expect(written()).toEqual({ pid: process.pid, port: 8788, phase: "ready" });
    if (claimed.ok) claimed.value.remove();
    expect(existsSync(noteFile(home.path))).toBe(false);
  });

  test("is not to be had while another one lives", () => {
    const note = leave();
    expect(claimState(home.path, 1)).toEqual({ ok: false, error: note });
    expect(written()).toEqual(note);
    expect(noteUrl(note)).toBe("http://127.0.0.1:8790");
  });

  test("is taken over from a process that is dead", async () => {
    leave();
    other.kill("SIGKILL");
    await once(other, "exit");
    expect(livingNote(home.path)).toBeUndefined();
    expect(claimState(home.path, 1).ok).toBe(true);
    expect(written()).toMatchObject({ pid: process.pid });
  });

  test("is taken over with what may be left running of it", async () => {
    leave({ group: 4711 });
    other.kill("SIGKILL");
    await once(other, "exit");
    expect(claimState(home.path, 1)).toMatchObject({ ok: true, value: { leftover: 4711 } });
  });

  test("is taken over when the number belongs to another kind of process by now", () => {
    const stranger = standIn("stranger.ts");
    leave({ pid: stranger.pid ?? 0 });
    expect(claimState(home.path, 1).ok).toBe(true);
    stranger.kill();
  });

  test("is taken over from a note that nobody can read", () => {
    leave();
    writeFileSync(noteFile(home.path), '{"pid":');
    expect(claimState(home.path, 1).ok).toBe(true);
  });

  test("is given up only by who has it", () => {
    const claimed = claimState(home.path, 1);
    const note = leave();
    if (claimed.ok) claimed.value.remove();
    expect(written()).toEqual(note);
  });
});

describe("a command that wants to talk to a server that is starting", () => {
  test("says so once and waits until it is up", async () => {
    const note = leave({ phase: "starting" });
    const said: string[] = [];
    let over = false;
    const waiting = awaitStart(home.path, (text) => said.push(text)).then(() => (over = true));
    await eventually(() => said.length);
    expect(over).toBe(false);
    writeFileSync(noteFile(home.path), JSON.stringify({ ...note, phase: "ready" }));
    await waiting;
    expect(said).toEqual(["Pagurus is starting …"]);
  });

  test("does not wait for one that has died", async () => {
    leave({ phase: "starting" });
    const waiting = awaitStart(home.path, () => {});
    other.kill("SIGKILL");
    await waiting;
  });

  test("does not wait when nobody starts", async () => {
    const said: string[] = [];
    await awaitStart(home.path, (text) => said.push(text));
    expect(said).toEqual([]);
  });
});
