import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { commandOf } from "#cli/process-command.ts";
import { eventually } from "#test/harness/wait.ts";

test("a process is known by its command, and one that is gone is none", () => {
  expect(commandOf(process.pid)).toContain("node");
  expect(commandOf(2 ** 22 + 1)).toBeUndefined();
});

test.runIf(existsSync("/proc/self/stat"))(
  "a process that is dead, and whose parent has not noticed, is none",
  async () => {
    const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const [line] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(line.toString());
      expect(pid).toBeGreaterThan(0);
      await eventually(() => commandOf(pid) === undefined);
      expect(() => process.kill(pid, 0)).not.toThrow();
    } finally {
      parent.kill("SIGKILL");
    }
  },
);
