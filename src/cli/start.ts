import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { everyMinute, runClock } from "./clock.ts";
import { prepareDevVars, settingNames, type DevVars } from "./dev-vars.ts";
import { findFreePort, portOf } from "./free-port.ts";
import { startServer, type LocalServer } from "./local-server.ts";
import { fetchReadiness } from "./readiness.ts";
import { createServerOutput } from "./server-output.ts";
import { DEFAULT_PORT, isAlive, notedUrl, runningFile } from "./target.ts";
import { welcomeText } from "./welcome.ts";

/**
 * `npm start`: serves Pagurus on this machine and says what to do next. No account, no key, no
 * questions. It owns the serving process and the note of its address (`.wrangler/pagurus.json`), and
 * takes both away when it ends. What serves is in dev-server.ts; developers who want reloading use
 * `npm run dev`.
 */
const root = join(import.meta.dirname, "..", "..");
const help = `npm start [-- --show-token]

Serves Pagurus on this machine, at port 8787 or the next free one (PORT=… to wish for another).
Settings are in .dev.vars; variables of the same names in your environment come first.
  --show-token   also print the gateway token
`;

const output = createServerOutput(process.stderr);
const { values: flags } = parseArgs({
  options: { "show-token": { type: "boolean" }, help: { type: "boolean", short: "h" } },
});

if (flags.help) process.stdout.write(help);
else process.exitCode = await main();

async function main(): Promise<number> {
  const present = notedUrl(root);
  if (present !== undefined && (await isAlive(present))) {
    say(`Pagurus is running already, at ${present}. Talk to it with: npm run chat`);
    return 0;
  }
  const stopped = stopSignal();
  const vars = prepareDevVars(root, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const variables = settingsFromEnvironment();
  const wished = portOf(process.env["PORT"], DEFAULT_PORT);
  const port = await findFreePort(wished);
  if (port !== wished) say(`Port ${wished} is taken; using ${port}.`);
  say(dim("Starting …"));
  try {
    for (;;) {
      const end = await serve({ port, vars, variables, stopped });
      if (end !== "silent") return end === "stopped" ? 0 : 1;
      complain("The server does not answer any more; starting it again …");
    }
  } finally {
    rmSync(runningFile(root), { force: true });
  }
}

interface Serving {
  readonly port: number;
  readonly vars: DevVars;
  readonly variables: Readonly<Record<string, string>>;
  readonly stopped: Promise<"stopped">;
}

/** One life of the serving process. `failed` has been explained; `silent` is worth another try. */
async function serve(serving: Serving): Promise<"stopped" | "silent" | "failed"> {
  const { port, variables, stopped } = serving;
  const server = startServer({ root, port, variables }, output);
  const stopping = new AbortController();
  const attended = attend(server, serving, stopping.signal);
  const end = await Promise.race([stopped, server.ended, attended]);
  stopping.abort();
  if (end === "stopped") say("\nStopping …");
  if (end === undefined) complain("The server ended by itself.");
  // A second Ctrl-C means now; after a failure there is nothing to bring to an end.
  process.once("SIGINT", () => server.kill());
  if (end === "failed") server.kill();
  await server.stop();
  return end ?? "failed";
}

/** Greets as soon as it answers, and keeps the Worker's clock until the end. */
async function attend(
  server: LocalServer,
  serving: Serving,
  signal: AbortSignal,
): Promise<"silent" | "failed"> {
  const greeted = server.up.then(async (address) => {
    await welcome(address.url, serving, signal);
    return address;
  });
  const failed = server.failed.then(() => "failed" as const);
  const address = await Promise.race([greeted, failed]).catch((error: unknown) => {
    complain(`It does not answer: ${String(error)}`);
    return "failed" as const;
  });
  if (address === "failed") {
    if (!signal.aborted) complain("Pagurus did not start.");
    return "failed";
  }
  await runClock({ ...address, minutes: everyMinute(signal), report: complain });
  return "silent";
}

/** Waits until the Worker answers, notes the address and greets. Rejects if it does not. */
async function welcome(
  url: string,
  { vars, variables }: Serving,
  signal: AbortSignal,
): Promise<void> {
  const readiness = await fetchReadiness(url, signal);
  mkdirSync(dirname(runningFile(root)), { recursive: true });
  writeFileSync(runningFile(root), `${JSON.stringify({ url })}\n`);
  const fromEnvironment = Object.keys(variables);
  const stateFolder = join(".wrangler", "state");
  say(`\n${welcomeText({ url, readiness, fromEnvironment, stateFolder, bold, dim })}\n`);
  if (flags["show-token"]) say(`GATEWAY_TOKEN=${tokenOf(vars, variables)}\n`);
}

function tokenOf(vars: DevVars, variables: Readonly<Record<string, string>>): string {
  return variables["GATEWAY_TOKEN"] ?? vars.values["GATEWAY_TOKEN"] ?? "";
}

function settingsFromEnvironment(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of settingNames(root)) {
    const value = process.env[name]?.trim() ?? "";
    if (value !== "") found[name] = value;
  }
  return found;
}

function stopSignal(): Promise<"stopped"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => resolve("stopped"));
    }
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

function bold(text: string): string {
  return styleText("bold", text, { stream: process.stdout });
}

function dim(text: string): string {
  return styleText("dim", text, { stream: process.stdout });
}
