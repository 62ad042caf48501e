import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endLeftover } from "#cli/leftover.ts";

/** A process that leads a group of its own, and ends with this one. */
async function leader(script: string) {
  const code = "process.stdin.resume().on('end', () => process.exit())";
  const child = spawn(process.execPath, ["-e", code, script], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  await once(child, "spawn");
  return child;
}

test("what a killed start has left running is ended", async () => {
  const child = await leader("/srv/home/src/cli/dev-server.ts");
  const exit = once(child, "exit");
  expect(await endLeftover("/srv/home", child.pid ?? 0)).toBe(true);
  expect(await exit).toEqual([null, "SIGKILL"]);
  expect(await endLeftover("/srv/home", child.pid ?? 0)).toBe(false);
});

test.each(["/srv/home/stranger.ts", "/srv/other/node_modules/workerd/bin/workerd"])(
  "a group that is somebody else's by now is left alone: %s",
  async (script) => {
    const child = await leader(script);
    expect(await endLeftover("/srv/home", child.pid ?? 0)).toBe(false);
    expect(child.exitCode ?? child.signalCode).toBeNull();
    child.kill();
  },
);
