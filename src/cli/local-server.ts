import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serverMessageSchema, type ServeOrder } from "./server-message.ts";

/**
 * The serving process as `npm start` sees it: started, up or failed with a reason, stopped with
 * everything it started. It runs in a process group of its own, so that Ctrl-C reaches only us and the
 * order of stopping is ours, and so that nothing of it can be left over.
 */
export interface LocalServer {
  /** Its process group; absent if it could not be started. */
  readonly group: number | undefined;
  /** Where it listens, once the port is bound. Stays open if that never happens. */
  readonly up: Promise<Address>;
  /** Something went wrong in it for good, and the listener was told what. Stays open otherwise. */
  readonly failed: Promise<void>;
  /** What answers requests is gone, though the process is there. Stays open otherwise. */
  readonly lost: Promise<void>;
  /** Resolves when the process is gone, by whatever cause. */
  readonly ended: Promise<void>;
  /** Ends it and resolves when it is gone; forcibly after some seconds. */
  stop(): Promise<void>;
  /** Ends it now, without waiting. */
  kill(): void;
}

export interface Address {
  readonly url: string;
  /** Cron expressions of wrangler.toml: locally nobody else fires them. */
  readonly crons: readonly string[];
}

export interface ServerListener {
  /** What it is doing while it starts. */
  step(text: string): void;
  /** A line of the Worker's console. */
  log(level: string, message: string): void;
  /** What wrangler itself complains about, as it writes it. */
  complaint(text: string): void;
}

const STOP_MS = 8_000;
/** Before it is up there is nothing to bring to an end, and it may be too busy to hear. */
const STOP_EARLY_MS = 2_000;

/** No update check, no telemetry, no look-ups, no prompts: it needs nothing from outside. */
const quiet = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  X_LOCAL_EXPLORER: "false",
  X_LOCAL_OBSERVABILITY: "false",
};

export function startServer(order: ServeOrder, listener: ServerListener): LocalServer {
  const child = fork(join(import.meta.dirname, "dev-server.ts"), {
    cwd: order.root,
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      ...process.env,
      ...quiet,
      WRANGLER_LOG_PATH: join(order.root, ".wrangler", "logs"),
    },
  });
  const ended = once(child, "exit").then(() => {});
  child.stderr?.setEncoding("utf8").on("data", (text: string) => listener.complaint(text));
  const heard = hear(child, listener);
  let patience = STOP_EARLY_MS;
  void heard.up.then(() => (patience = STOP_MS));
  child.send(order);
  const kill = () => killGroup(child);
  return { ...heard, group: child.pid, ended, kill, stop: () => stop(child, ended, patience) };
}

function hear(
  child: ChildProcess,
  listener: ServerListener,
): Pick<LocalServer, "up" | "failed" | "lost"> {
  const up = Promise.withResolvers<Address>();
  const failed = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<void>();
  child.on("message", (raw) => {
    const message = serverMessageSchema.parse(raw);
    switch (message.type) {
      case "step":
        return listener.step(message.text);
      case "log":
        return listener.log(message.level, message.message);
      case "ready":
        return up.resolve({ url: message.url, crons: message.crons });
      case "lost":
        return lost.resolve();
      case "failed":
        if (message.message !== "") listener.complaint(`${message.message}\n`);
        return failed.resolve();
    }
  });
  return { up: up.promise, failed: failed.promise, lost: lost.promise };
}

async function stop(child: ChildProcess, ended: Promise<void>, patience: number): Promise<void> {
  if (child.connected) child.disconnect();
  await Promise.race([ended, sleep(patience, undefined, { ref: false })]);
  killGroup(child);
  await ended;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is empty: that is what was wanted.
  }
}
