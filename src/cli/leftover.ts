import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Ends what an earlier `npm start` has left running: where both of its own processes are killed at once,
 * nobody ends the runtimes, and two servers on one state would spoil it. They are known by their process
 * group, which no other process can get while they live. Later one may, so what runs in it must be of this
 * checkout. Where processes cannot be listed, nothing is ended. True: something was.
 */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 50;
const ours = /\bworkerd\b|\bdev-server\.ts\b/;

export async function endLeftover(root: string, group: number): Promise<boolean> {
  const isOurs = (command: string) => ours.test(command) && command.includes(`${root}/`);
  if (!commandsOf(group).some(isOurs)) return false;
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    return false; // It has just ended by itself.
  }
  const until = Date.now() + PATIENCE_MS;
  while (commandsOf(group).length > 0 && Date.now() < until) await sleep(PAUSE_MS);
  return true;
}

/** Of the living processes of a group. */
function commandsOf(group: number): string[] {
  const ps = spawnSync("ps", ["-A", "-o", "pgid=", "-o", "stat=", "-o", "args="], {
    encoding: "utf8",
  });
  if (ps.status !== 0) return [];
  return ps.stdout.split("\n").flatMap((line) => {
    const [, pgid, state = "", command = ""] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return Number(pgid) === group && !state.startsWith("Z") ? [command] : [];
  });
}
