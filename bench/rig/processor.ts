import { readdirSync, readFileSync } from "node:fs";

/**
 * Processor time of the runtimes this process has started, from /proc: unlike time on the wall it hardly
 * depends on what else the machine does. Elsewhere than on Linux there is none.
 */
const TICK_MS = 10;

/** Ids of the workerd processes this process has started. */
export function runtimePids(): number[] {
  return processIds().filter((pid) => {
    const { name, parent } = statOf(pid) ?? {};
    return name === "workerd" && parent === process.pid;
  });
}

/** Milliseconds of processor time a process has used; undefined when that cannot be read. */
export function processorMs(pid: number): number | undefined {
  return statOf(pid)?.usedMs;
}

interface Stat {
  readonly name: string;
  readonly parent: number;
  readonly usedMs: number;
}

/** See proc(5): the name stands in parentheses and may itself hold anything. */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = text.lastIndexOf(")");
    const name = text.slice(text.indexOf("(") + 1, end);
    const fields = text.slice(end + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { name, parent: Number(fields[1]), usedMs: ticks * TICK_MS };
  } catch {
    return undefined; // It has ended meanwhile, or there is no /proc.
  }
}

function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
