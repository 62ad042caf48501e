import { spawn, type ChildProcess } from "node:child_process";

/** A process that looks like `npm start` and does nothing, until it is killed or this one ends. */
export function standIn(script = "start.ts"): ChildProcess {
  const code = "process.stdin.resume().on('end', () => process.exit())";
  return spawn(process.execPath, ["-e", code, script], { stdio: ["pipe", "ignore", "ignore"] });
}
