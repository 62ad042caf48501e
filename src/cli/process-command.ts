import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/**
 * The command line of a process of this machine: from /proc where there is one, else from `ps`. Empty
 * when it lives but neither tells; undefined when there is no such process.
 */
export function commandOf(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  try {
    if (existsSync("/proc/self/cmdline")) {
      // Dead, and only waiting for its parent to notice.
      if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return undefined;
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    }
    const ps = spawnSync("ps", ["-o", "args=", "-p", `${pid}`], { encoding: "utf8" });
    return ps.status === 0 ? ps.stdout.trim() : "";
  } catch {
    return exists(pid) ? "" : undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one as well.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
