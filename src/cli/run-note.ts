import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { err, ok, type Result } from "#contract/result.ts";
import { commandOf } from "./process-command.ts";

/**
 * The note that `npm start` leaves beside the state it serves (`.wrangler/pagurus.json`): which process
 * it is, at which port, and whether it is up. Two servers on one state would spoil it, so whoever
 * finds a living note stays away; the note of a dead process is taken over. Nobody removes a note that
 * is not his own.
 */
const noteSchema = z.object({
  pid: z.number().int().positive(),
  port: z.number().int(),
  phase: z.enum(["starting", "ready"]),
  /** Process group of what serves. */
  group: z.number().int().positive().optional(),
});
export type RunNote = Readonly<z.infer<typeof noteSchema>>;

export interface OwnNote {
  update(change: Partial<Omit<RunNote, "pid">>): void;
  remove(): void;
  /** Process group of a dead start's, which may be left running. */
  readonly leftover?: number;
}

export function noteFile(root: string): string {
  return join(root, ".wrangler", "pagurus.json");
}

/** Undefined when there is none, it cannot be read, or who wrote it is gone. */
export function livingNote(root: string): RunNote | undefined {
  const note = readNote(noteFile(root));
  return note && isAlive(note) ? note : undefined;
}

export function noteUrl({ port }: Pick<RunNote, "port">): string {
  return `http://127.0.0.1:${port}`;
}

/** The state is ours, or the error is whose it is. */
export function claimState(root: string, port: number): Result<OwnNote, RunNote> {
  const path = noteFile(root);
  let own: RunNote = { pid: process.pid, port, phase: "starting" };
  let leftover: number | undefined;
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    try {
      writeFileSync(path, textOf(own), { flag: "wx" });
      break;
    } catch (error) {
      if (!isCode(error, "EEXIST")) throw error;
    }
    const other = livingNote(root);
    if (other) return err(other);
    leftover = removeDead(path) ?? leftover;
  }
  return ok({
    ...(leftover === undefined ? {} : { leftover }),
    update(change) {
      own = { ...own, ...change };
      const scratch = `${path}.${process.pid}`;
      writeFileSync(scratch, textOf(own));
      renameSync(scratch, path);
    },
    remove() {
      if (readNote(path)?.pid === process.pid) rmSync(path, { force: true });
    },
  });
}

/**
 * Of two that find the same dead note one moves it away; the other finds it gone, or a living one. Returns the
 * dead one's process group.
 */
function removeDead(path: string): number | undefined {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
  const moved = readNote(aside);
  // Somebody else was quicker, and this is already his: it goes back.
  if (moved && isAlive(moved)) {
    renameSync(aside, path);
    return undefined;
  }
  rmSync(aside, { force: true });
  return moved?.group;
}

function readNote(path: string): RunNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined; // No note is as good as a broken one.
  }
}

/** Numbers of processes are used again: it must also be a process like this one. */
function isAlive({ pid }: RunNote): boolean {
  if (pid === process.pid) return false;
  const command = commandOf(pid);
  return command !== undefined && (command === "" || /\bstart\.ts\b/.test(command));
}

function textOf(note: RunNote): string {
  return `${JSON.stringify(note)}\n`;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
