import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { basename } from "node:path";

/**
 * Notices when a runtime that this process has started is gone without having been ended from here: it
 * crashed, or somebody killed it. wrangler puts another one in its place, but what stood only in the old one
 * (where requests go) is lost with it, and every request would wait for ever. So the server has to be
 * started anew as a whole. Must be called before anything is started.
 */
export function onLostRuntime(lost: () => void, name = "workerd"): void {
  subscribe("child_process", (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    child.once("exit", () => {
      if (!child.killed && basename(child.spawnfile).startsWith(name)) lost();
    });
  });
}
