import { join } from "node:path";
import { inspect } from "node:util";
import { z } from "zod";
import { onLostRuntime } from "./lost-runtime.ts";
import { serveOrderSchema, type ServeOrder, type ServerMessage } from "./server-message.ts";

/**
 * The process that serves: `wrangler dev --local` through wrangler's own API instead of its command
 * line. The API is marked unstable (wrangler is pinned), and in return keys from the environment
 * stand in no process list, no debugging port is opened, the Worker's log arrives apart from wrangler's
 * own words, and the process ends when its parent is gone, with the runtime it started.
 */
let dispose: (() => Promise<void>) | undefined;

process.once("message", (message) => {
  serve(serveOrderSchema.parse(message)).catch(fail);
});

process.once("disconnect", () => {
  // Before the Worker is there, nothing has to be brought to an end; the parent ends the rest.
  if (!dispose) process.exit(0);
  void dispose().finally(() => process.exit(0));
});

/** The terminal's signals are for the parent, which then closes the channel. */
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});

onLostRuntime(() => say({ type: "lost" }));

async function serve({ root, port, variables }: ServeOrder): Promise<void> {
  say({ type: "step", text: "Loading the runtime" });
  const { unstable_readConfig: readConfig, unstable_startWorker: startWorker } =
    await import("wrangler");
  const config = join(root, "wrangler.toml");
  const { triggers } = readConfig({ config }, { hideWarnings: true });
  const bindings = Object.entries(variables).map(
    ([name, value]) => [name, { type: "secret_text" as const, value }] as const,
  );
  say({ type: "step", text: "Building the Worker" });
  const worker = await startWorker({
    config,
    bindings: Object.fromEntries(bindings),
    dev: {
      remote: false,
      watch: false,
      inspector: false,
      logLevel: "error",
      server: { hostname: "127.0.0.1", port },
      persist: join(root, ".wrangler", "state"),
      structuredLogsHandler: (line: { level: string; message: string }) =>
        say({ type: "log", level: line.level, message: line.message }),
    },
  });
  dispose = () => worker.dispose();
  worker.raw.on("error", fail);
  worker.raw.on("buildFailed", () => say({ type: "failed", message: "" }));
  const url = await worker.url;
  say({ type: "ready", url: url.origin, crons: z.array(z.string()).parse(triggers.crons) });
}

function fail(error: unknown): void {
  say({ type: "failed", message: reasons(error).join("\n  because: ") });
}

/** From the outermost words, which say little, to the cause. */
function reasons(error: unknown): string[] {
  if (error === undefined || error === null) return [];
  if (!(error instanceof Error)) return isEvent(error) ? reasons(error.cause) : [inspect(error)];
  return [error.message, ...reasons(error.cause)];
}

/** wrangler reports a fault as an event around it. */
function isEvent(value: unknown): value is { readonly cause: unknown } {
  return typeof value === "object" && value !== null && "cause" in value;
}

function say(message: ServerMessage): void {
  // The parent may leave at any moment; that is the order to stop, not a fault.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
