import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { onLostRuntime } from "#cli/lost-runtime.ts";

const lost: string[] = [];
onLostRuntime(() => lost.push("runtime"), basename(process.execPath));
onLostRuntime(() => lost.push("something else"), "no-such-program");

async function ended(end: (child: ChildProcess) => void): Promise<string[]> {
  lost.length = 0;
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(child, "spawn");
  end(child);
  await once(child, "exit");
  return [...lost];
}

test("a runtime that somebody else has killed is lost", async () => {
  expect(await ended(({ pid }) => process.kill(pid!, "SIGKILL"))).toEqual(["runtime"]);
});

test("one that was ended from here is not", async () => {
  expect(await ended((child) => child.kill("SIGKILL"))).toEqual([]);
});
