import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { err, ok, type Result } from "#contract/result.ts";
import { serverMessageSchema, type ServeOrder } from "./server-message.ts";

/**
 * The serving process as `npm start` sees it: started, up or failed with a reason, stopped with
 * everything it started. It runs in a process group of its own, so that Ctrl-C reaches only us and the
 * order of stopping is ours, and so that nothing of it can be left over.
 */
export interface LocalServer {
  readonly url: string;
  /** Cron expressions of wrangler.toml: locally nobody else fires them. */
  readonly crons: readonly string[];
  /** Resolves when the process is gone, by whatever cause. */
  readonly ended: Promise<void>;
  /** Ends it and resolves when it is gone; forcibly after some seconds. */
  stop(): Promise<void>;
  /** Ends it now, without waiting. */
  kill(): void;
}

export interface ServerListener {
  /** A line of the Worker's console. */
  log(level: string, message: string): void;
  /** What wrangler itself complains about, as it writes it. */
  complaint(text: string): void;
}

const STOP_MS = 8_000;

/** No update check, no telemetry, no look-ups, no prompts: it needs nothing from outside. */
const quiet = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  X_LOCAL_EXPLORER: "false",
  X_LOCAL_OBSERVABILITY: "false",
};

/** Resolves when the port is bound, or with the reason why it will not be. */
export async function startServer(
  order: ServeOrder,
  listener: ServerListener,
): Promise<Result<LocalServer, string>> {
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
  const up = whenUp(child, listener);
  child.send(order);
  const outcome = await Promise.race([up, ended.then(() => err("it ended while starting"))]);
  if (outcome.ok) {
    return ok({
      ...outcome.value,
      ended,
      stop: () => stop(child, ended),
      kill: () => killGroup(child),
    });
  }
  await stop(child, ended);
  return outcome;
}

function whenUp(
  child: ChildProcess,
  listener: ServerListener,
): Promise<Result<Pick<LocalServer, "url" | "crons">, string>> {
  return new Promise((resolve) => {
    child.on("message", (raw) => {
      const message = serverMessageSchema.parse(raw);
      switch (message.type) {
        case "log":
          return listener.log(message.level, message.message);
        case "ready":
          return resolve(ok({ url: message.url, crons: message.crons }));
        case "failed":
          if (message.message !== "") listener.complaint(`${message.message}\n`);
          return resolve(err("it could not be started"));
      }
    });
  });
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.connected) child.disconnect();
  await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
  killGroup(child);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is empty: that is what was wanted.
  }
}
